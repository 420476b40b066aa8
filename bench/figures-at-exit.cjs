// Preloaded into a process that is measured: at its end it writes down what it used, as only itself can tell.
"use strict";
const { writeFileSync } = require("node:fs");
const { BENCH_FIGURES } = process.env;
if (BENCH_FIGURES)
  process.on("exit", () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(
      BENCH_FIGURES,
      JSON.stringify({
        cpuMs: (userCPUTime + systemCPUTime) / 1000,
        peakMegabytes: Math.round(maxRSS / 1024),
      }),
    );
  });

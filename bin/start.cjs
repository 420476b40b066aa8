// What has to happen before the first line of asfound, in a form that any Node of the last ten years can read:
// refuse an old Node in one sentence, turn the compile cache on, pick the source (a checkout) or dist (a package).
"use strict";
var fs = require("fs");
var os = require("os");
var path = require("path");

function refuse(sentence) {
  process.stderr.write("asfound: " + sentence + "\n");
  process.exit(1);
}

if (parseInt(process.versions.node, 10) < 24) {
  refuse("this is Node.js " + process.versions.node + ", and asfound needs Node.js 24 or newer.");
}

// Node 24 before 24.12 calls type stripping and SQLite experimental. An operator can do nothing about that;
// every other warning stays.
var emitWarning = process.emitWarning;
process.emitWarning = function (warning, kind) {
  var type = kind && typeof kind === "object" ? kind.type : kind;
  if (type === "ExperimentalWarning" && /type stripping|sqlite/i.test(String(warning))) return;
  return emitWarning.apply(process, arguments);
};

// The cache belongs to the user, not to a checkout or a package that may be shared or read-only.
// Where it cannot be written Node goes on without it.
function cacheFolder() {
  var xdg = process.env.XDG_CACHE_HOME;
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, "asfound", "node");
  var home = os.homedir();
  if (process.platform === "darwin") return path.join(home, "Library", "Caches", "asfound", "node");
  return path.join(home, ".cache", "asfound", "node");
}
// One level at a time: where no folder can be made (below /proc, say) Node's recursive one tries for ever.
function makeFolder(folder) {
  if (fs.existsSync(folder)) return;
  var parent = path.dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    fs.mkdirSync(folder, 0o700);
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
}
try {
  var enable = require("module").enableCompileCache;
  if (process.env.NODE_COMPILE_CACHE) enable();
  else {
    var folder = cacheFolder();
    makeFolder(folder);
    enable(folder);
  }
} catch (_) {
  // No home folder, or none that can be written: no cache.
}

var root = path.join(__dirname, "..");
var source = path.join(root, "src", "faces", "cli", "main.ts");
var built = path.join(root, "dist", "cli", "main.cjs");
var fromSource = fs.existsSync(source);
if (!fromSource && !fs.existsSync(built)) {
  refuse("this installation has no program in it (" + built + " is missing); install the package again.");
}

function refuseMissing(error) {
  var missing = /^Cannot find (?:package|module) '([^']+)'/.exec(String(error && error.message));
  if (!error || !missing || !/MODULE_NOT_FOUND$/.test(error.code)) throw error;
  refuse(
    "its dependency " +
      missing[1] +
      " is not installed; " +
      (fromSource ? "run `npm ci` in " + root + "." : "install the package again.")
  );
}

if (fromSource) import(require("url").pathToFileURL(source).href).catch(refuseMissing);
else {
  try {
    require(built);
  } catch (error) {
    refuseMissing(error);
  }
}

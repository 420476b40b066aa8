/** doctor: can asfound work here, and is what it left behind whole? Changes nothing. */
import { EXIT } from "../../../domain/exit.ts";
import { check, doctorReport } from "../../../wire/api/ledger.ts";
import type { Cli } from "../context.ts";
import type { Place } from "../flags.ts";
import { type PrintFlags, print } from "../output/print.ts";
import { table } from "../output/table.ts";
import { LEDGER } from "../texts/ledger.ts";
import { WORDS } from "../texts/words.ts";
import { refuse, whereOf } from "./where.ts";

export async function doctor(this: Cli, flags: Place & PrintFlags): Promise<void> {
  const { doctor: examine } = await this.services();
  const examined = await examine(whereOf(this, flags, false));
  if (examined.kind !== "checked") return void (await refuse(this, examined));
  const { checks } = examined;
  const wrong = checks.filter(({ finding }) => finding === "wrong").length;
  const { headers } = WORDS;
  await print(this, flags, {
    page: (page) => [
      ...table(
        checks.map(({ name, finding, sentence }) => [
          { text: name },
          {
            text: WORDS.finding[finding] ?? finding,
            tone: finding === "wrong" ? "red" : finding === "fine" ? "green" : "dim",
          },
          { text: sentence },
        ]),
        {
          headers: page.headers ? [headers.check, headers.finding, headers.why] : null,
          style: page.style,
          columns: null,
        },
      ),
      "",
      wrong === 0 ? LEDGER.allFine : LEDGER.wrong(wrong),
    ],
    json: () => doctorReport(checks),
    stream: () => checks.map(check),
    names: () => checks.map(({ name }) => name),
  });
  this.exit(wrong === 0 ? EXIT.proven : EXIT.broken);
}

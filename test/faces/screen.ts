/** What a terminal shows, by a terminal emulator that others wrote: it moves, erases, wraps, and reflows when resized. */
import xterm from "@xterm/headless";

export class Screen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  #hidden = false;

  constructor(columns: number, rows: number) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true });
    const parser = this.#terminal.parser;
    parser.registerCsiHandler({ prefix: "?", final: "l" }, ([mode]) => this.#cursor(mode, true));
    parser.registerCsiHandler({ prefix: "?", final: "h" }, ([mode]) => this.#cursor(mode, false));
  }

  #cursor(mode: unknown, hidden: boolean): boolean {
    if (mode === 25) this.#hidden = hidden;
    return false;
  }

  write(text: string): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(text, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  get cursorHidden(): boolean {
    return this.#hidden;
  }

  /** All that can be seen by scrolling up, without empty lines; a line that was broken is one. */
  get lines(): readonly string[] {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let at = 0; at < active.length; at += 1) {
      const line = active.getLine(at);
      if (line === undefined) continue;
      const text = line.translateToString(true);
      if (line.isWrapped && lines.length > 0) lines.push(`${lines.pop()}${text}`);
      else lines.push(text);
    }
    return lines.filter((line) => line.trim() !== "");
  }
}

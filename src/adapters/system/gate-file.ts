/** Reads a gate's file. */
import { type ParsedGate, parseGate } from "../../wire/gate/parse.ts";
import { loadText } from "./load-text.ts";

export const loadGate = (path: string): Promise<ParsedGate> => loadText(path, path, parseGate);

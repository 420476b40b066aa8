/** What this provider can do for a step, and what it cannot know of it, from the `with` as written. */
import type { JsonObject } from "../../domain/json.ts";
import type { InputFault, ProviderFacts } from "../../ports/provider.ts";
import { writtenCredentials } from "./credentials.ts";
import { isReference } from "./fields.ts";
import { asksForKey } from "./find.ts";
import { parse } from "./parse.ts";
import type { HttpSpec } from "./spec.ts";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const plainText = (spec: HttpSpec): boolean => {
  if (isReference(spec.base) || !URL.canParse(spec.base)) return false;
  const url = new URL(spec.base);
  return url.protocol === "http:" && !LOOPBACK.test(url.hostname);
};

const cannotKnow = (spec: HttpSpec): readonly string[] => {
  const { create, observe, update, key } = spec;
  const find = observe?.find ?? null;
  const sentences: string[] = [];
  const say = (when: boolean, sentence: string): void => {
    if (when) sentences.push(sentence);
  };
  say(
    create !== null && find === null,
    "If the reply to create is lost, the new object cannot be found again: no 'find' is declared.",
  );
  say(
    create !== null && key.header !== null && key.body === null,
    "That the server honours the key's header is not known, so 'retry: keyed' is yours to declare.",
  );
  say(
    create !== null && key.header === null && key.body === null,
    "The create carries no key of ours, so a second one could not be told from the first.",
  );
  say(
    find !== null && !asksForKey(find),
    "What 'find' finds is known by what it is called, not by our key: somebody else could have made it.",
  );
  say(
    observe !== null && Object.keys(observe.asDeclared).length === 0,
    "Whether what is there is as declared is not compared: neither 'declared' nor 'asDeclared' is given.",
  );
  say(
    observe !== null && observe.get !== null,
    "A 404 to reading by id is taken as absence; a server that hides with 404 what one may not read is not told apart.",
  );
  say(
    update !== null && !update.ifMatch,
    "An update overwrites what others changed in the meantime: no 'ifMatch' is declared.",
  );
  say(plainText(spec), "Without TLS nothing proves who answers, and headers travel in the clear.");
  return sentences;
};

export const describe = (inputs: JsonObject): ProviderFacts | readonly InputFault[] => {
  const parsed = parse(inputs);
  if ("faults" in parsed) return parsed.faults;
  const { spec } = parsed;
  const written = writtenCredentials(spec);
  if (written.length > 0) return written;
  return {
    can: {
      observe: spec.observe !== null,
      create: spec.create !== null,
      update: spec.update !== null,
      destroy: spec.destroy !== null,
      compensate: spec.compensate !== null,
      owed: spec.owed !== null,
    },
    // A header that carries a key does not prove that the server honours it.
    retry: null,
    inputFiles: spec.ca === null || isReference(spec.ca) ? [] : [spec.ca],
    cannotKnow: cannotKnow(spec),
  };
};

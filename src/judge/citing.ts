/**
 * What a judgement rests on while it is made: reads fields, remembers which (they become its evidence), and which were
 * missing. A needed field that is not there makes `undefined`, and its name is in `missing`; a judge that goes on without
 * it does not compile. Nothing is cited by hand that was not read.
 */
import type { Cited, Seen } from "../domain/evidence.ts";
import type { Known } from "../domain/known.ts";
import type { Resource } from "../domain/resource.ts";
import type { Collection, Listing } from "./collection.ts";
import type { Path, Shape } from "./read.ts";
import { citedAt, dotted, fieldAt } from "./read.ts";
import { nameOf } from "./words.ts";

export class Citing {
  readonly #cited: Cited[] = [];
  /** By reading, the pointers that stand in `#cited`. */
  readonly #places = new Map<string, Set<string>>();
  readonly #missing: string[] = [];
  readonly #limits: string[] = [];

  /** A field that the rule cannot do without. */
  need<T>(object: Seen, path: Path, shape: Shape<T>): T | undefined {
    const field = fieldAt(object.raw, path, shape);
    if (field.kind === "known") {
      this.cite(object, path);
      return field.value;
    }
    this.miss(`${nameOf(object)} ${field.kind === "unreadable" ? field.why : dotted(path)}`);
    return undefined;
  }

  /** A LIST that the rule cannot do without. */
  needList(collection: Collection, resource: Resource, namespace: string | null): Listing | undefined {
    const list = collection.list(resource, namespace);
    if (list.kind === "known") {
      for (const source of list.value.sources) this.citeReading(source);
      return list.value;
    }
    this.lack(resource.plural, namespace, list);
    return undefined;
  }

  /** Names a resource that was not asked for, or whose reading failed. */
  lack(what: string, namespace: string | null, how: Known<unknown>): void {
    const where = namespace === null ? "" : ` in namespace ${namespace}`;
    this.miss(how.kind === "unreadable" ? `${what}${where}: ${how.why}` : `${what}${where} (not asked for)`);
  }

  miss(what: string): void {
    if (!this.#missing.includes(what)) this.#missing.push(what);
  }

  cite(object: Seen, path: Path): void {
    this.citeReading(citedAt(object, path));
  }

  citeReading(cited: Cited): void {
    const places = this.#places.get(cited.evidence);
    if (places === undefined) this.#places.set(cited.evidence, new Set([cited.pointer]));
    else if (places.has(cited.pointer)) return;
    else places.add(cited.pointer);
    this.#cited.push(cited);
  }

  /** The readings that say of an object that it is not there. */
  citeAbsence(collection: Collection, resource: Resource, namespace: string | null, name: string): void {
    for (const source of collection.askedFor(resource, namespace, name).sources) this.citeReading(source);
  }

  limit(text: string): void {
    if (!this.#limits.includes(text)) this.#limits.push(text);
  }

  get cited(): readonly Cited[] {
    return this.#cited;
  }

  get missing(): readonly string[] {
    return this.#missing;
  }

  get limits(): readonly string[] {
    return this.#limits;
  }
}

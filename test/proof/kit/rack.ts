/** A tool in this process that keeps one class and does wrong on request, and an honest provider over it. */
import {
  absent,
  ambiguous,
  type CallIo,
  defineProvider,
  denied,
  done,
  failed,
  type JsonObject,
  notRead,
  type Outcome,
  type Provider,
  type ProviderDefinition,
  present,
  type Reading,
  type RetryClass,
  refused,
  unknown,
} from "../../../src/provider.ts";
import type { Subject, Switches } from "../../../src/testing.ts";

interface Thing {
  readonly key: string;
  readonly name: string;
  label: string;
}

/** What the tool answers when it does not do what it was asked. */
class ToolError extends Error {
  readonly how: "refused" | "broken" | "lost" | "denied" | "taken";
  constructor(how: ToolError["how"]) {
    super(`the tool says: ${how}`);
    this.how = how;
  }
}

type Fault = (effect: () => unknown) => Promise<never>;

export interface Rack {
  readonly things: Map<string, Thing>;
  readonly switches: Required<Switches>;
  create(key: string, name: string, label: string): Promise<string>;
  update(id: string, label: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** By its id, or all that carry the mark: one of the keys, or the name where names are what counts. */
  find(
    id: string | null,
    keys: readonly string[],
    name: string,
  ): Promise<readonly (readonly [string, Thing])[]>;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const rackOf = (keeps: RetryClass): Rack => {
  const things: Rack["things"] = new Map();
  const faults = new Map<string, Fault>();
  let reads: ToolError["how"] | null = null;
  let made = 0;
  const act = async <T>(action: string, effect: () => T): Promise<T> => {
    const fault = faults.get(action);
    faults.delete(action);
    return fault === undefined ? effect() : fault(effect);
  };
  const byName = keeps === "named" || keeps === "idempotent";
  const put = (key: string, name: string, label: string): string => {
    const same = [...things].find(([, thing]) => (byName ? thing.name === name : thing.key === key));
    if (keeps === "named" && same !== undefined) throw new ToolError("taken");
    if (keeps === "keyed" && same !== undefined) return same[0];
    if (keeps === "idempotent" && same !== undefined) {
      same[1].label = label;
      return same[0];
    }
    made += 1;
    things.set(`thing-${made}`, { key, name, label });
    return `thing-${made}`;
  };
  const withFault = (action: string, fault: Fault): void => void faults.set(action, fault);
  return {
    things,
    create: (key, name, label) => act("create", () => put(key, name, label)),
    update: (id, label) =>
      act("update", () => {
        const thing = things.get(id);
        if (thing !== undefined) thing.label = label;
      }),
    remove: (id) => act("destroy", () => void things.delete(id)),
    find: async (id, keys, name) => {
      if (reads !== null) throw new ToolError(reads);
      if (id !== null) return [...things].filter(([one]) => one === id);
      return [...things].filter(([, thing]) => (byName ? thing.name === name : keys.includes(thing.key)));
    },
    switches: {
      loseReply: (action) =>
        withFault(action, async (effect) => {
          effect();
          throw new ToolError("lost");
        }),
      failAfter: (action) =>
        withFault(action, async (effect) => {
          effect();
          throw new ToolError("broken");
        }),
      refuse: (action) => withFault(action, () => Promise.reject(new ToolError("refused"))),
      late: (action, ms) =>
        withFault(action, async (effect) => {
          void sleep(ms).then(effect);
          throw new ToolError("lost");
        }),
      hang: (action) =>
        withFault(action, (effect) => {
          effect();
          return new Promise<never>(() => undefined);
        }),
      reads: (how) => {
        reads = how;
      },
      twin: () => {
        const [[, thing]] = things as unknown as [[string, Thing]];
        things.set("twin-1", { ...thing });
      },
    },
  };
};

const labelOf = (inputs: JsonObject): string => String(inputs["label"] ?? "");
const nameOf = (inputs: JsonObject): string => String(inputs["name"] ?? "");

/** By the deadline, and when told to stop. */
const inTime = async <T>(io: CallIo, work: Promise<T>): Promise<T> => {
  const over = new Promise<never>((_, reject) => {
    const end = (): void => reject(new ToolError("lost"));
    setTimeout(end, io.deadlineMs).unref();
    io.stop.addEventListener("abort", end, { once: true });
  });
  return Promise.race([work, over]);
};

const outcomeOf = (error: unknown): Outcome => {
  if (!(error instanceof ToolError)) throw error;
  if (error.how === "refused") return refused(error.message);
  return error.how === "lost" ? unknown(error.message) : failed(error.message);
};

const readingOf = (error: unknown): Reading => {
  if (!(error instanceof ToolError)) throw error;
  return error.how === "denied" ? denied(error.message) : notRead(error.message);
};

const honest = (rack: Rack): ProviderDefinition => ({
  name: "rack",
  check: (inputs) =>
    typeof inputs["label"] === "string"
      ? []
      : [{ path: ["label"], message: "label must be text; write label: TEXT" }],
  observe: async ({ identity, keys, inputs }) => {
    try {
      const found = await rack.find(identity?.id ?? null, keys, nameOf(inputs));
      const [only, ...others] = found;
      if (only === undefined) return absent;
      if (others.length > 0) return ambiguous(found.map(([id]) => id));
      return present({ id: only[0], asDeclared: only[1].label === labelOf(inputs) });
    } catch (error) {
      return readingOf(error);
    }
  },
  create: async (intent, io) => {
    const { key, inputs } = await intent.open();
    try {
      return done({ id: await inTime(io, rack.create(key, nameOf(inputs), labelOf(inputs))) });
    } catch (error) {
      return outcomeOf(error);
    }
  },
  update: async (intent, io) => {
    const { identity, inputs } = await intent.open();
    try {
      await inTime(io, rack.update(identity?.id ?? "", labelOf(inputs)));
      return done();
    } catch (error) {
      return outcomeOf(error);
    }
  },
  destroy: async (intent, io) => {
    const { identity } = await intent.open();
    try {
      await inTime(io, rack.remove(identity?.id ?? ""));
      return done();
    } catch (error) {
      return outcomeOf(error);
    }
  },
});

export type Mutate = (whole: ProviderDefinition, rack: Rack) => ProviderDefinition;

/** `mutate` makes the provider a bad one; `without`: switches that the tool does not have. */
export const rackSubject =
  (keeps: RetryClass, mutate: Mutate = (whole) => whole, without: readonly (keyof Switches)[] = []) =>
  async (): Promise<Subject> => {
    const rack = rackOf(keeps);
    const provider: Provider = defineProvider(mutate(honest(rack), rack));
    const switches = Object.fromEntries(
      Object.entries(rack.switches).filter(([name]) => !without.includes(name as keyof Switches)),
    );
    return {
      provider,
      with: { label: "a", name: "one" },
      changed: { label: "b", name: "one" },
      count: async () => rack.things.size,
      switches,
    };
  };

/** Manifests as people write them, drawn: every way to name a ConfigMap, in block and flow style, with comments, in Lists and as JSON. */
import fc from "fast-check";
import { stringify } from "yaml";
import type { JsonObject, JsonValue } from "../../src/domain/json.ts";
import type { GivenConfig } from "../../src/wire/bind/sources.ts";

export interface BindWorld {
  readonly text: string;
  readonly objects: readonly JsonObject[];
  readonly given: readonly GivenConfig[];
}

const NAMES = ["settings", "pages", "a.b-c", "limits"] as const;
const NAMESPACES = [null, "shop", "other"] as const;

const content = fc.dictionary(
  fc.constantFrom("MODE", "app.conf", "on", "12", "x_y"),
  fc.oneof(
    fc.constantFrom(
      "",
      "1",
      "yes",
      "a\nb\n",
      "a\nb",
      "a\n\n",
      " lead\n x",
      "tab\there\n",
      "a\r\nb\n",
      "\r\n",
      "é\u2028x\ny",
    ),
    fc.string({ maxLength: 12 }).map((text) => text.toWellFormed()),
  ),
  { maxKeys: 3 },
);

const name = fc.constantFrom(...NAMES);

const container = fc
  .record({
    env: fc.array(name, { maxLength: 2 }),
    from: fc.array(name, { maxLength: 2 }),
    secret: fc.boolean(),
  })
  .map(
    ({ env, from, secret }): JsonObject => ({
      name: "c",
      image: "i:1",
      env: env.map((of, at) => ({
        name: `V${at}`,
        valueFrom: { configMapKeyRef: { name: of, key: "MODE", optional: true } },
      })),
      envFrom: [
        ...from.map((of) => ({ configMapRef: { name: of } })),
        ...(secret ? [{ secretRef: { name: "settings" } }] : []),
      ],
    }),
  );

const template = fc
  .record({
    init: fc.array(container, { maxLength: 1 }),
    main: fc.array(container, { minLength: 1, maxLength: 2 }),
    volumes: fc.array(fc.record({ of: name, projected: fc.boolean() }), { maxLength: 2 }),
    metadata: fc.constantFrom<JsonValue | undefined>(
      undefined,
      null,
      { labels: { app: "web" } },
      { annotations: null },
      { annotations: {} },
      { annotations: { "checksum/config": "old", note: "kept" } },
    ),
  })
  .map(
    ({ init, main, volumes, metadata }): JsonObject => ({
      ...(metadata === undefined ? {} : { metadata }),
      spec: {
        initContainers: init,
        containers: main,
        volumes: volumes.map(({ of, projected }, at) =>
          projected
            ? { name: `v${at}`, projected: { sources: [{ configMap: { name: of } }] } }
            : { name: `v${at}`, configMap: { name: of } },
        ),
      },
    }),
  );

const workload = fc
  .record({
    template,
    namespace: fc.constantFrom(...NAMESPACES),
    kind: fc.constantFrom("Deployment", "StatefulSet", "CronJob", "Pod"),
    name: fc.constantFrom("web", "job"),
  })
  .map(({ template: its, namespace, kind, name: named }): JsonObject => {
    const metadata = { name: named, ...(namespace === null ? {} : { namespace }) };
    if (kind === "Pod") {
      const { metadata: own, ...spec } = its;
      const annotations = (own as JsonObject | null | undefined)?.["annotations"];
      return {
        apiVersion: "v1",
        kind,
        metadata: { ...metadata, ...(annotations === undefined ? {} : { annotations }) },
        ...spec,
      };
    }
    return kind === "CronJob"
      ? {
          apiVersion: "batch/v1",
          kind,
          metadata,
          spec: { schedule: "0 0 * * *", jobTemplate: { spec: { template: its } } },
        }
      : { apiVersion: "apps/v1", kind, metadata, spec: { replicas: 2, template: its } };
  });

const configMap = fc
  .record({ name, namespace: fc.constantFrom(...NAMESPACES), data: content, shape: fc.nat(2) })
  .map(
    ({ name: named, namespace, data, shape }): JsonObject => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: named, ...(namespace === null ? {} : { namespace }) },
      ...(shape === 0 ? { immutable: false } : {}),
      ...(shape === 1 ? {} : { data }),
    }),
  );

const keyOf = ({ kind, metadata }: JsonObject): string => {
  const { name: named, namespace } = metadata as JsonObject;
  return `${String(kind)} ${String(namespace)} ${String(named)}`;
};

/** Comments between the lines, as people leave them. */
const commented = (text: string, every: number): string =>
  text
    .split("\n")
    .flatMap((line, at) => (at % every === 0 && line.trim() !== "" ? [`${line} # note ${at}`] : [line]))
    .join("\n");

const written = (objects: readonly JsonObject[], style: number): string => {
  if (style === 0) return `${JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, null, 2)}\n`;
  if (style === 1) return objects.map((one) => `${JSON.stringify(one)}\n`).join("---\n");
  if (style === 2)
    return stringify(
      { apiVersion: "v1", kind: "List", items: objects },
      { lineWidth: 0, aliasDuplicateObjects: false },
    );
  const indentSeq = style === 3;
  // Only documents without blocks of lines can take a comment at the end of each of them.
  const plain = { lineWidth: 0, indentSeq, blockQuote: false, aliasDuplicateObjects: false } as const;
  return objects.map((one) => `# ${keyOf(one)}\n${commented(stringify(one, plain), 3)}`).join("---\n");
};

export const bindWorld: fc.Arbitrary<BindWorld> = fc
  .record({
    objects: fc.uniqueArray(fc.oneof(workload, configMap), { minLength: 1, maxLength: 6, selector: keyOf }),
    given: fc.uniqueArray(fc.record({ name, namespace: fc.constantFrom("shop", "other"), data: content }), {
      maxLength: 2,
      selector: ({ name: named, namespace }) => `${namespace}/${named}`,
    }),
    style: fc.nat(4),
  })
  .map(({ objects, given, style }) => ({
    text: written(objects, style),
    objects,
    given: given
      .filter((one) => !objects.some((object) => keyOf(object) === `ConfigMap ${one.namespace} ${one.name}`))
      .map(({ name: named, namespace, data }) => ({
        name: named,
        namespace,
        content: { data },
        from: "files",
      })),
  }));

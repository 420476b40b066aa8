/**
 * Every reference from a Pod's containers to a ConfigMap or Secret, with the way by which its content reaches them (C2).
 * What cannot be followed (a CSI driver's files) is named, and a field of another type than the API's makes the whole
 * reading incomplete rather than shorter (V7).
 *
 * Rules: core/v1 Container (env, envFrom, volumeMounts, args), Volume; a native sidecar is an init container that
 * restarts always.
 */
import type { ConfigKind, ConfigReference, ContainerRole } from "../../domain/config.ts";
import type { Seen } from "../../domain/evidence.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../domain/json.ts";
import { dotted, FLAG, fieldAt, hint, LIST, type Path, type Shape, TEXT, valueAt } from "../read.ts";
import { nameOf, quoted } from "../words.ts";

export interface Consumption extends ConfigReference {
  /** It is the API server's own: the volume of the service account's token, which every Pod has. */
  readonly isServiceAccount: boolean;
  /** Where the object's name stands. */
  readonly path: Path;
  /** How its keys become files; null: they do not. */
  readonly mount: Mount | null;
}

export interface Mount {
  /** null: every key is a file of its own name. */
  readonly items: readonly { readonly key: string; readonly path: string }[] | null;
  /** Within the volume; empty: all of it. null: by subPathExpr, so that which it is stands nowhere. */
  readonly subPath: string | null;
}

export interface Consumptions {
  readonly all: readonly Consumption[];
  /** Content that comes by another way, each a clause. */
  readonly untraceable: readonly string[];
  /** Fields that could not be read, each with its object. */
  readonly faults: readonly string[];
}

/** `podSpec`: where the Pod's spec stands in `object`. */
export const consumptionsOf = (object: Seen, podSpec: Path): Consumptions => {
  const read = found.get(object.raw);
  if (read !== undefined && read.podSpec === podSpec.join(".")) return read.consumptions;
  const consumptions = new Reading(object, podSpec).read();
  found.set(object.raw, { podSpec: podSpec.join("."), consumptions });
  return consumptions;
};

/** Each claim about each Pod of a node asks for them; nothing that was read changes. */
const found = new WeakMap<JsonObject, { readonly podSpec: string; readonly consumptions: Consumptions }>();

interface Source {
  readonly kind: ConfigKind;
  readonly name: string;
  readonly optional: boolean;
  /** null: every key, each under its own name. */
  readonly items: readonly { readonly key: string; readonly path: string }[] | null;
  readonly isProjected: boolean;
  readonly isServiceAccount: boolean;
  readonly path: Path;
}

interface Volume {
  readonly sources: readonly Source[];
  /** The driver that fills it, where that cannot be followed. */
  readonly driver: string | null;
}

type Place = Pick<Consumption, "container" | "role">;

const LISTS: readonly (readonly [field: string, role: ContainerRole])[] = [
  ["initContainers", "init"],
  ["containers", "app"],
  ["ephemeralContainers", "ephemeral"],
];

class Reading {
  readonly #object: Seen;
  readonly #podSpec: Path;
  readonly #all: Consumption[] = [];
  readonly #untraceable: string[] = [];
  readonly #faults: string[] = [];

  constructor(object: Seen, podSpec: Path) {
    this.#object = object;
    this.#podSpec = podSpec;
  }

  read(): Consumptions {
    const volumes = this.#volumes();
    for (const [field, role] of LISTS) {
      const path = [...this.#podSpec, field];
      for (const [at, container] of this.#list(path).entries())
        this.#container([...path, at], roleOf(role, container), volumes);
    }
    return { all: this.#all, untraceable: this.#untraceable, faults: this.#faults };
  }

  #container(path: Path, role: ContainerRole, volumes: ReadonlyMap<string, Volume>): void {
    const container = this.#text([...path, "name"]);
    if (container === undefined) return;
    const place: Place = { container, role };
    for (const at of this.#list([...path, "env"]).keys()) this.#variable([...path, "env", at], path, place);
    for (const at of this.#list([...path, "envFrom"]).keys()) this.#wholeEnv([...path, "envFrom", at], place);
    for (const at of this.#list([...path, "volumeMounts"]).keys())
      this.#mount([...path, "volumeMounts", at], volumes, place);
  }

  #variable(path: Path, container: Path, place: Place): void {
    for (const [member, kind] of [
      ["configMapKeyRef", "ConfigMap"],
      ["secretKeyRef", "Secret"],
    ] as const) {
      const at = [...path, "valueFrom", member];
      if (!this.#has(at)) continue;
      const variable = this.#text([...path, "name"]);
      const name = this.#text([...at, "name"]);
      const key = this.#text([...at, "key"]);
      if (variable === undefined || name === undefined || key === undefined) continue;
      this.#all.push({
        ...place,
        kind,
        name,
        keys: [key],
        delivery: "env",
        as: variable,
        inArguments: this.#isInArguments(container, variable),
        optional: this.#flag([...at, "optional"]),
        isServiceAccount: false,
        path: [...at, "name"],
        mount: null,
      });
    }
  }

  #wholeEnv(path: Path, place: Place): void {
    for (const [member, kind] of [
      ["configMapRef", "ConfigMap"],
      ["secretRef", "Secret"],
    ] as const) {
      const at = [...path, member];
      if (!this.#has(at)) continue;
      const name = this.#text([...at, "name"]);
      if (name === undefined) continue;
      this.#all.push({
        ...place,
        kind,
        name,
        keys: null,
        delivery: "envFrom",
        as: this.#textOr([...path, "prefix"], ""),
        inArguments: false,
        optional: this.#flag([...at, "optional"]),
        isServiceAccount: false,
        path: [...at, "name"],
        mount: null,
      });
    }
  }

  #mount(path: Path, volumes: ReadonlyMap<string, Volume>, place: Place): void {
    const name = this.#text([...path, "name"]);
    const mountPath = this.#text([...path, "mountPath"]);
    const volume = name === undefined ? undefined : volumes.get(name);
    if (mountPath === undefined || volume === undefined) return;
    if (volume.driver !== null)
      this.#untraceable.push(
        `container ${quoted(place.container)} mounts files of the driver ${quoted(volume.driver)} at ${quoted(mountPath)}`,
      );
    const subPath = this.#textOr([...path, "subPath"], "");
    const isExpanded = this.#textOr([...path, "subPathExpr"], "") !== "";
    for (const source of volume.sources)
      this.#all.push({
        ...place,
        kind: source.kind,
        name: source.name,
        keys: isExpanded ? keysOf(source) : keysUnder(source, subPath),
        delivery: subPath !== "" || isExpanded ? "subPath" : source.isProjected ? "projected" : "volume",
        as: mountPath,
        inArguments: false,
        optional: source.optional,
        isServiceAccount: source.isServiceAccount,
        path: source.path,
        mount: { items: source.items, subPath: isExpanded ? null : within(subPath) },
      });
  }

  #volumes(): ReadonlyMap<string, Volume> {
    const volumes = new Map<string, Volume>();
    const path = [...this.#podSpec, "volumes"];
    for (const at of this.#list(path).keys()) {
      const volume = [...path, at];
      const name = this.#text([...volume, "name"]);
      if (name !== undefined) volumes.set(name, this.#volume(volume));
    }
    return volumes;
  }

  #volume(path: Path): Volume {
    const driver = ["csi", "flexVolume"].find((member) => this.#has([...path, member]));
    if (driver !== undefined)
      return { sources: [], driver: this.#textOr([...path, driver, "driver"], driver) };
    const projected = [...path, "projected", "sources"];
    const parts = this.#list(projected);
    const isServiceAccount = parts.some((part) => valueAt(part, ["serviceAccountToken"]) !== undefined);
    return {
      driver: null,
      sources: [
        ...this.#source([...path, "configMap"], "ConfigMap", "name", false, false),
        ...this.#source([...path, "secret"], "Secret", "secretName", false, false),
        ...[...parts.keys()].flatMap((at) => [
          ...this.#source([...projected, at, "configMap"], "ConfigMap", "name", true, isServiceAccount),
          ...this.#source([...projected, at, "secret"], "Secret", "name", true, isServiceAccount),
        ]),
      ],
    };
  }

  #source(
    path: Path,
    kind: ConfigKind,
    member: string,
    isProjected: boolean,
    isServiceAccount: boolean,
  ): readonly Source[] {
    if (!this.#has(path)) return [];
    const name = this.#text([...path, member]);
    if (name === undefined) return [];
    const items = [...path, "items"];
    const listed = [...this.#list(items).keys()].flatMap((at) => {
      const key = this.#text([...items, at, "key"]);
      const to = this.#text([...items, at, "path"]);
      return key === undefined || to === undefined ? [] : [{ key, path: to }];
    });
    return [
      {
        kind,
        name,
        optional: this.#flag([...path, "optional"]),
        items: listed.length === 0 ? null : listed,
        isProjected,
        isServiceAccount,
        path: [...path, member],
      },
    ];
  }

  /** `$(NAME)`, as kubelet expands it; `$$(NAME)` is an escape. */
  #isInArguments(container: Path, variable: string): boolean {
    return ["command", "args"].some((field) =>
      this.#list([...container, field]).some(
        (word) => typeof word === "string" && word.replaceAll("$$", "").includes(`$(${variable})`),
      ),
    );
  }

  #has(path: Path): boolean {
    return valueAt(this.#object.raw, path) !== undefined;
  }

  /** The API leaves an empty list out. */
  #list(path: Path): readonly JsonValue[] {
    const list = this.#read(path, LIST, false);
    return list === undefined ? [] : list;
  }

  #text(path: Path): string | undefined {
    return this.#read(path, TEXT, true);
  }

  /** The API leaves out what is as it usually is. */
  #textOr(path: Path, usual: string): string {
    const text = this.#read(path, TEXT, false);
    return text === undefined ? usual : text;
  }

  #flag(path: Path): boolean {
    return this.#read(path, FLAG, false) === true;
  }

  #read<T>(path: Path, shape: Shape<T>, isNeeded: boolean): T | undefined {
    const field = fieldAt(this.#object.raw, path, shape);
    if (field.kind === "known") return field.value;
    if (field.kind === "unreadable") this.#faults.push(`${nameOf(this.#object)} ${field.why}`);
    else if (isNeeded) this.#faults.push(`${nameOf(this.#object)} ${dotted(path)}`);
    return undefined;
  }
}

const roleOf = (role: ContainerRole, container: JsonValue): ContainerRole =>
  role === "init" && isJsonObject(container) && hint(container, ["restartPolicy"], TEXT) === "Always"
    ? "sidecar"
    : role;

const keysOf = ({ items }: Source): readonly string[] | null =>
  items === null ? null : items.map(({ key }) => key);

/** The keys whose files stand at or below a path within the volume. */
const keysUnder = (source: Source, subPath: string): readonly string[] | null => {
  const place = within(subPath);
  if (place === "") return keysOf(source);
  // Without items a file is named after its key, and a key has no slash.
  if (source.items === null) return [place];
  return source.items
    .filter(({ path }) => path === place || path.startsWith(`${place}/`))
    .map(({ key }) => key);
};

const within = (subPath: string): string => subPath.replace(/^\/+|\/+$/g, "");

/** The file in the container that a key's content stands in; null: it is in none, or in one that is not known. */
export const fileOfKey = ({ as, mount }: Pick<Consumption, "as" | "mount">, key: string): string | null => {
  if (mount === null || mount.subPath === null) return null;
  const { items, subPath } = mount;
  const path = items === null ? key : items.find((one) => one.key === key)?.path;
  if (path === undefined) return null;
  const base = as.replace(/\/+$/, "");
  if (subPath === "") return `${base}/${path}`;
  if (path === subPath) return base;
  return path.startsWith(`${subPath}/`) ? `${base}${path.slice(subPath.length)}` : null;
};

/**
 * A label selector as kubectl and the API write it in one text: `app=web,tier!=db,env in (a,b),!canary`
 * (apimachinery/pkg/labels). A requirement that excludes (`!=`, `notin`) is met by what has no such label.
 */
interface Requirement {
  readonly key: string;
  readonly operator: "in" | "notin" | "exists" | "absent";
  readonly values: readonly string[];
}

export interface LabelSelector {
  /** As it was written. */
  readonly text: string;
  readonly requirements: readonly Requirement[];
}

/** Longer ones are no help to anybody. */
const MAX_TEXT = 4_096;
const KEY = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const VALUE = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** The fault is a clause that follows the flag's name. */
export const parseLabelSelector = (text: string): LabelSelector | { readonly fault: string } => {
  if (text.length > MAX_TEXT) return { fault: `has ${text.length} characters; at most ${MAX_TEXT} are read` };
  const requirements: Requirement[] = [];
  for (const part of partsOf(text)) {
    const requirement = requirementIn(part.trim());
    if ("fault" in requirement) return requirement;
    requirements.push(requirement);
  }
  return { text, requirements };
};

export const matchesLabels = (
  { requirements }: LabelSelector,
  labels: ReadonlyMap<string, string>,
): boolean => requirements.every((requirement) => isMet(requirement, labels.get(requirement.key)));

const isMet = ({ operator, values }: Requirement, value: string | undefined): boolean => {
  switch (operator) {
    case "in":
      return value !== undefined && values.includes(value);
    case "notin":
      return value === undefined || !values.includes(value);
    case "exists":
      return value !== undefined;
    case "absent":
      return value === undefined;
  }
};

/** At the commas that stand in no parentheses. */
const partsOf = (text: string): readonly string[] => text.split(/,(?![^(]*\))/);

const requirementIn = (part: string): Requirement | { readonly fault: string } => {
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(part);
  if (set !== null) {
    const [, key = "", operator, inside = ""] = set;
    return checked(
      key,
      operator as "in" | "notin",
      inside.split(",").map((one) => one.trim()),
    );
  }
  const pair = /^([^\s=!]+)\s*(==?|!=)\s*(\S*)$/.exec(part);
  if (pair !== null) {
    const [, key = "", operator, value = ""] = pair;
    return checked(key, operator === "!=" ? "notin" : "in", [value]);
  }
  const absent = /^!\s*(\S+)$/.exec(part);
  return absent === null ? checked(part, "exists", []) : checked(String(absent[1]), "absent", []);
};

const checked = (
  key: string,
  operator: Requirement["operator"],
  values: readonly string[],
): Requirement | { readonly fault: string } => {
  if (!KEY.test(key))
    return {
      fault: `cannot be read at ${JSON.stringify(key.slice(0, 60))}: write it as kubectl does, app=web,tier!=db,'env in (a,b)'`,
    };
  const wrong = values.find((value) => !VALUE.test(value));
  if (wrong !== undefined)
    return { fault: `must have values that a label can have: ${JSON.stringify(wrong.slice(0, 80))} is none` };
  return { key, operator, values };
};

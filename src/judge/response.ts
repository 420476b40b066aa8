/**
 * `response`: the expected reply came by that path, every time that it was asked for. A request without a reply is no
 * answer (R2): it refutes nothing. What a path does not show is said (V9).
 */
import type { Seen } from "../domain/evidence.ts";
import { type ExpectedHealth, grpcCodeText } from "../domain/grpc-health.ts";
import type { JsonValue } from "../domain/json.ts";
import { type ExpectedReply, type JsonPath, type ResponseExpectation, viaText } from "../domain/response.ts";
import { sameJson } from "../domain/same-json.ts";
import { answersBy, limitByPath, untied } from "./answers.ts";
import type { Case } from "./case.ts";
import { sameIncarnation } from "./generation.ts";
import { type Found, Inquiry } from "./inquiry.ts";
import { hint, TEXT, valueAt, WHOLE } from "./read.ts";
import { jsonAt, parsed } from "./reply.ts";
import { counted, listed, quoted } from "./words.ts";

export const responseRule = (given: Case): Found => {
  const inquiry = new Inquiry("response");
  const stop = sameIncarnation(inquiry, given.target, given.expected);
  if (stop !== undefined) return stop;
  const { response } = given.expected;
  if (response === null)
    return inquiry.undetermined("not-asked", "no path is named by which a reply is expected (--via)");
  const { replied, silent } = answersBy(given, response);
  const via = viaText(response.via);
  if (replied.length + silent.length === 0) {
    inquiry.miss(`an answer by ${via} (not asked for)`);
    return inquiry.undetermined("not-asked", `nothing was asked by ${via}`);
  }
  const [open] = untied(given, response, replied);
  if (open !== undefined) return whoseNetwork(inquiry, open, via);
  const wrong = replied.flatMap((answer) => differences(inquiry, answer, response.expect).slice(0, 1));
  limitByPath(inquiry, response, replied);
  if (wrong.length > 0) return otherReply(inquiry, given, via, wrong, replied.length);
  if (silent.length > 0) return noReply(inquiry, via, silent, replied.length);
  if (inquiry.missing.length > 0) return inquiry.unknown();
  return inquiry.proven(
    "as-expected",
    `${counted(replied.length, "reply", "replies")} by ${via} of ${replied.length}: ${expectedText(response)}`,
  );
};

const otherReply = (
  inquiry: Inquiry,
  given: Case,
  via: string,
  wrong: readonly string[],
  count: number,
): Found => {
  const sentence = `${wrong.length} of ${counted(count, "reply", "replies")} by ${via} ${wrong.length === 1 ? "is" : "are"} not as expected: ${listed([...new Set(wrong)])}`;
  return given.before.get("rollout-complete")?.finding === "progressing"
    ? inquiry.progressing("waiting-for", `${sentence}; the rollout is under way`)
    : inquiry.refuted("other-reply", sentence);
};

/** What came may have come from another network: it shows nothing of this cluster, and contradicts nothing. */
const whoseNetwork = (inquiry: Inquiry, open: { readonly why: string }, via: string): Found => {
  const why = quoted(open.why);
  inquiry.miss(`an answer by ${via} of which it is shown that this cluster sent it: ${why}`);
  return inquiry.undetermined(
    "network-not-shown",
    `a reply came by ${via}, and it is not shown that the address is this cluster's from here: ${why}; permit the API server's proxy, or let the app tell its Pod's UID (--pod)`,
  );
};

const noReply = (
  inquiry: Inquiry,
  via: string,
  silent: readonly { readonly why: string }[],
  replied: number,
): Found => {
  const whys = listed([...new Set(silent.map(({ why }) => quoted(why)))]);
  for (const { why } of silent) inquiry.miss(`an answer by ${via}: ${quoted(why)}`);
  return inquiry.undetermined(
    "no-reply",
    `${silent.length} of ${counted(silent.length + replied, "request")} by ${via} had no reply: ${whys}`,
  );
};

/** What of one reply is otherwise, each a clause. A field that was not recorded is missing, and no difference. */
export const differences = (inquiry: Inquiry, answer: Seen, expect: ExpectedReply): readonly string[] => {
  const wrong: string[] = [];
  const status = inquiry.need(answer, ["status"], WHOLE);
  if (status !== undefined && status !== expect.status)
    wrong.push(`status ${status} where ${expect.status} is expected`);
  for (const [name, value] of expect.headers) {
    const is = inquiry.need(answer, ["headers", name], TEXT);
    if (is !== undefined && is !== value)
      wrong.push(`header ${name} is ${shownValue(is)} where ${shownValue(value)} is expected`);
  }
  if (expect.health !== null) wrong.push(...healthDifferences(inquiry, answer, expect.health));
  if (expect.bodySha256 !== null) {
    const sha256 = inquiry.need(answer, ["bodySha256"], TEXT);
    if (sha256 !== undefined && sha256 !== expect.bodySha256)
      wrong.push(`a body of another digest (${quoted(sha256).slice(0, 12)}…)`);
  }
  if (expect.json.length === 0) return wrong;
  const body = inquiry.need(answer, ["body"], TEXT);
  return body === undefined ? wrong : [...wrong, ...jsonDifferences(body, expect.json)];
};

/** A status of the call other than OK is a reply, as another health is. */
const healthDifferences = (inquiry: Inquiry, answer: Seen, expected: ExpectedHealth): readonly string[] => {
  const service = inquiry.need(answer, ["grpc", "service"], TEXT);
  if (service === undefined) return [];
  const type = hint(answer.raw, ["headers", "content-type"], TEXT);
  if (
    valueAt(answer.raw, ["grpc", "code"]) === undefined &&
    type !== undefined &&
    !/^application\/grpc/i.test(type)
  )
    return [`a reply that is none of gRPC (content-type ${shownValue(type)})`];
  const code = inquiry.need(answer, ["grpc", "code"], WHOLE);
  if (code === undefined) return [];
  if (code !== 0)
    return [`gRPC status ${grpcCodeText(code)} where ${expected.is} is expected of ${ofService(expected)}`];
  const health = inquiry.need(answer, ["grpc", "health"], TEXT);
  return health === undefined || health === expected.is
    ? []
    : [`health ${quoted(health)} where ${expected.is} is expected of ${ofService(expected)}`];
};

const ofService = ({ service }: ExpectedHealth): string =>
  service === "" ? "the server" : `service ${quoted(service)}`;

const jsonDifferences = (body: string, json: ExpectedReply["json"]): readonly string[] => {
  const value = parsed(body);
  if (value === undefined) return ["a body that is no JSON"];
  return json.flatMap(({ path, is, isText }) => {
    const found = jsonAt(value, path);
    if (found !== undefined && (isText ? String(found) === is && !isTree(found) : sameJson(found, is)))
      return [];
    const has = found === undefined ? "not there" : shownValue(found);
    return [`${pathText(path)} is ${has} where ${shownValue(is)} is expected`];
  });
};

const isTree = (value: JsonValue): boolean => typeof value === "object" && value !== null;

const shownValue = (value: JsonValue): string => quoted(JSON.stringify(value));

const pathText = (path: JsonPath): string =>
  `$${path.map((step) => (typeof step === "number" ? `[${step}]` : /^[A-Za-z_$][\w$-]*$/.test(step) ? `.${step}` : `['${step}']`)).join("")}`;

const expectedText = ({ expect }: ResponseExpectation): string =>
  listed([
    expect.health === null
      ? `status ${expect.status}`
      : `${expect.health.is} of ${ofService(expect.health)} by gRPC`,
    ...[...expect.headers].map(([name, value]) => `header ${name} ${shownValue(value)}`),
    ...expect.json.map(({ path, is }) => `${pathText(path)} ${shownValue(is)}`),
    ...(expect.bodySha256 === null ? [] : ["the body's digest"]),
  ]);

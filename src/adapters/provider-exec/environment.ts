/**
 * What a command finds in its environment: the variables of this table, what the step's `environment` sets, and the
 * request's scalars. Nothing else is passed on, so a secret in asfound's own environment does not reach it (E5).
 *
 * | variable                                   | from |
 * |--------------------------------------------|------|
 * | PATH HOME USER LOGNAME SHELL TMPDIR         | asfound's environment: finding programs, people and places |
 * | LANG LANGUAGE LC_* TZ TERM                 | asfound's environment: language, time zone, terminal |
 * | anything else (SSH_AUTH_SOCK, KUBECONFIG, cloud profiles, proxies) | `environment:` of the step, `${secret.env.NAME}` passes one on |
 * | ASFOUND_ACTION _STACK _STEP _OPERATION _ATTEMPT _KEY _EPOCH _CALL_BY _ID | the request; unset where it says null |
 *
 * SSH_AUTH_SOCK is left out on purpose: whoever has it can sign with the person's keys.
 */
import type { ExecRequest } from "./request.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const PASSED_ON = /^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM)$/;

export const childEnvironment = (
  ours: Environment,
  declared: Readonly<Record<string, string>>,
  request: ExecRequest,
): Record<string, string> => {
  const environment: Record<string, string> = {};
  // The protocol's own come first, where a bounded read of /proc/PID/environ surely finds them (N6).
  const scalars: Readonly<Record<string, string | number | null>> = {
    ASFOUND_KEY: request.key,
    ASFOUND_ACTION: request.action,
    ASFOUND_STACK: request.stack,
    ASFOUND_STEP: request.step,
    ASFOUND_OPERATION: request.operation,
    ASFOUND_ATTEMPT: request.attempt,
    ASFOUND_EPOCH: request.epoch,
    ASFOUND_CALL_BY: request.callBy,
    ASFOUND_ID: request.identity === null ? null : request.identity.id,
  };
  for (const [name, value] of Object.entries(scalars)) if (value !== null) environment[name] = String(value);
  for (const [name, value] of Object.entries(ours))
    if (value !== undefined && PASSED_ON.test(name)) environment[name] = value;
  return { ...environment, ...declared };
};

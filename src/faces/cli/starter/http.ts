/** One thing over an HTTP API, with every part that asfound needs to be sure of it. */
import { SCHEMA_LINE, type Starter } from "./starter.ts";

const stackFile = (name: string): string => `${SCHEMA_LINE}
#
# One machine of an HTTP API that takes an idempotency key. Say where the API is: --var api=http://127.0.0.1:8080/v1
apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: ${JSON.stringify(name)} }

steps:
  machine:
    uses: http
    # keyed: the API promises to answer the same key with the same machine. If yours does not, remove this line.
    retry: keyed
    with:
      base: "\${var.api}"
      # Where our key goes: as a header with the create, and into the thing itself, so that it can be found by it.
      key: { header: Idempotency-Key, body: /labels/asfound-key }
      create:
        path: /machines
        body: { name: ${JSON.stringify(name)}, size: small, labels: { team: demo } }
        id: /id
      observe:
        get: { path: "/machines/{id}" }
        find:
          path: "/machines?label=asfound-key%3D{key}"
          items: /items
          id: /id
          match: { /labels/asfound-key: "{key}" }
          next: /next
        declared: [/size]
        outputs: { size: /size }
      update: { path: "/machines/{id}", body: { size: small } }
      destroy: { path: "/machines/{id}" }
`;

export const httpStarter = (name: string): Starter => ({
  files: new Map([["asfound.yaml", stackFile(name)]]),
  next: [
    { command: "asfound plan --var api=URL", why: "shows what apply would do; URL is where your API is" },
    { command: "asfound apply --var api=URL", why: "does it; it asks first" },
  ],
});

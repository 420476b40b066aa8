/** The demo's stack: a network, a machine in it, a config inside the machine, and a probe of the whole. */
import { fileURLToPath } from "node:url";

const GUEST = fileURLToPath(new URL("guest.mjs", import.meta.url));

/** `cloud` is the API's address; `work` is where the guests' disks and the guest log are; `lagMs` how old its lists are. */
export const stackText = (cloud: string, work: string, lagMs: number): string => {
  const settle = `${lagMs + 1_000}ms`;
  const guest = JSON.stringify([process.execPath, GUEST, work]);
  return `apiVersion: asfound.dev/v1alpha1
kind: Stack
metadata: { name: shop-staging }
steps:
  network:
    uses: http
    settle: ${settle}                  # this cloud's lists lag ${lagMs} ms behind
    with:
      base: ${cloud}/v1
      key: { body: /labels/asfound-key }
      create:
        path: /networks
        body: { cidr: 10.20.0.0/16, labels: { team: shop } }
        id: /id
        outputs: { id: /id }
      observe:
        get: { path: "/networks/{id}" }
        find: { path: "/networks?label=asfound-key%3D{key}", items: /items, id: /id, next: /next, match: { /labels/asfound-key: "{key}" } }
        declared: [/cidr]
        outputs: { id: /id }
      destroy: { path: "/networks/{id}" }

  machine:
    uses: http
    retry: once                     # this cloud does not honour idempotency keys
    settle: ${settle}
    with:
      base: ${cloud}/v1
      key: { body: /labels/asfound-key }
      create:
        path: /machines
        body: { network: "\${steps.network.outputs.id}", size: small, labels: { team: shop } }
        id: /id
      observe:
        get: { path: "/machines/{id}" }
        find: { path: "/machines?label=asfound-key%3D{key}", items: /items, id: /id, next: /next, match: { /labels/asfound-key: "{key}" } }
        declared: [/size, /network]
        outputs: { id: /id }
        ready: { pointer: /status, is: [ready], pending: [provisioning, deleting], failed: [error] }
      destroy: { path: "/machines/{id}" }

  guest-config:
    uses: exec
    partOf: machine                 # contained in it: gone only when the machine is proven gone
    settle: 1s
    with:
      observe: ${guest}
      create: ${guest}
      update: ${guest}
      destroy: ${guest}
      inputs: { machine: "${cloud}/v1/machines/\${steps.machine.outputs.id}", version: v1 }

  health:
    uses: exec
    needs: [guest-config]
    settle: 1s
    with:
      observe: ${guest}
      create: ${guest}
      inputs: { machine: "${cloud}/v1/machines/\${steps.machine.outputs.id}", version: v1 }
`;
};

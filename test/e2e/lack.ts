/** Why there is no cluster, as `npm run test:e2e` found; null when there is one. */
export const LACK: string | null =
  process.env["ASFOUND_E2E_LACKS"] ??
  (process.env["KUBECONFIG"] === undefined ? "there is no cluster: `npm run test:e2e` starts one" : null);

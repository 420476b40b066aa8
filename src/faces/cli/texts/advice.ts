/** Next commands that only the face knows of. */
export const ADVICE = {
  plan: { command: "asfound plan", why: "shows what apply would do; nothing was applied yet" },
  apply: { command: "asfound apply", why: "carries this out; it asks first" },
  applyAndDestroy: {
    command: "asfound apply --allow-destroy",
    why: "carries this out, what it destroys included; it asks first",
  },
  status: { command: "asfound status", why: "says what is known of every step" },
  reconcile: {
    command: "asfound reconcile",
    why: "asks what is there and settles what is in doubt; it changes nothing outside",
  },
  applyPlan: (file: string) => ({
    command: `asfound apply --plan ${file}`,
    why: "carries exactly this out, or refuses",
  }),
  approvePlan: (file: string) => ({
    command: `asfound approve --plan ${file} --reason TEXT`,
    why: "approves what waits for an approval in it",
  }),
  destroys: (steps: string) => ({
    command: "asfound apply --allow-destroy",
    why: `it removes what exists of ${steps} first; give it only if that is meant`,
  }),
} as const;

// Parts for the sound definitions.
export const done = { type: "final" } as const;
export const failed = { type: "final", outcome: "failed" } as const;
export const v = (name: string) => ({ var: `execution.variables.${name}` });
export const p = (name: string) => ({ var: `message.payload.${name}` });
export const hook = (actionId: string, more: object = {}) => ({
  actionId,
  type: "webhook",
  config: { url: "https://shop.example/{{ execution.id }}", payload: { n: "{{ execution.variables.n }}" } },
  ...more,
});

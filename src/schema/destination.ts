// Destination: the recipient of an action, in words for the people who decide about a retry.

export type Destination = {
  /** What the values in `to` are: recipients, a URL, a channel, a blockchain … */
  readonly kind: string;
  readonly to: readonly string[];
};

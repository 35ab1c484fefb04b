// Destination: the recipient of an action, in words for people who decide about a retry.

export type Destination = {
  /** The kind of the values in `to`: recipients, a URL, a channel, a blockchain … */
  readonly kind: string;
  readonly to: readonly string[];
};

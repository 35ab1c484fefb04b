// Destination: the recipient of an action, in words for people who decide about a retry.

export type Destination = {
  /** The kind of the values in `to`: recipients, an address, a channel, a chain … */
  readonly kind: string;
  readonly to: readonly string[];
};

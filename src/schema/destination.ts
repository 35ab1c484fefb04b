// To whom or where an action goes, in words a person recognises before they send it again.

export type Destination = {
  /** What `to` lists: recipients, an address, a channel, a chain … */
  readonly kind: string;
  readonly to: readonly string[];
};

/** Dialogs that open from anywhere. */
class Dialogs {
  /** The one that makes the training environment. */
  environment = $state(false);
}

export const dialogs = new Dialogs();

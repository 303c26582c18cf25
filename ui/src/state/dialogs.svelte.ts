/** Dialogs that open from anywhere. */
class Dialogs {
  /** The one that makes the training environment. */
  environment = $state(false);
  /** The program that a person is asked about ending. */
  ending = $state.raw<{ pid: number; name: string }>();
  /** What takes room on the disk. */
  room = $state(false);
  /** The account that a person signs in to. */
  signIn = $state<string>();
  /** The run, elsewhere than on its page, that a person is asked about ending. */
  cancelling = $state<string>();
}

export const dialogs = new Dialogs();

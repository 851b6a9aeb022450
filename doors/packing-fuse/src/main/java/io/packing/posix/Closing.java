package io.packing.posix;

import java.util.function.Consumer;

/** A closed file that is to be published, and who is told what became of it, once. Confined to one thread after the other. */
final class Closing {
    final Node node;
    private final Runnable published;
    private final Consumer<Throwable> failed;
    private boolean isTold;

    Closing(Node node, Runnable published, Consumer<Throwable> failed) {
        this.node = node;
        this.published = published;
        this.failed = failed;
    }

    /** All of it is in the table, or need not be. */
    void published() {
        if (!isTold) {
            isTold = true;
            published.run();
        }
    }

    /** It is not in the table; its draft is. */
    void failed(Throwable why) {
        if (!isTold) {
            isTold = true;
            failed.accept(why);
        }
    }
}

package io.packing.cli.launch;

import me.tongfei.progressbar.ProgressBarConsumer;

/** Shows no progress bar: nobody looks at a terminal. */
final class Silent implements ProgressBarConsumer {
    @Override
    public int getMaxRenderedLength() {
        return 80;
    }

    @Override
    public void accept(String rendered) {}

    @Override
    public void close() {}
}

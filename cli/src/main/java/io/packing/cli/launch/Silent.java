// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.launch;

import me.tongfei.progressbar.ProgressBarConsumer;

/** The consumer that shows no progress bar, where standard error is no terminal. */
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

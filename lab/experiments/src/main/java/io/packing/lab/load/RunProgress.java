// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.load;

import io.packing.cli.launch.Narrator;
import java.util.function.Consumer;
import me.tongfei.progressbar.ProgressBar;

/** A listener to a run that consists of parts, one after another. */
public interface RunProgress extends Consumer<String> {
    /** Learns that a part without files begins. */
    @Override
    void accept(String part);

    /** Learns that a part with files begins; the part closes the listener to them. */
    Files begins(String part, long files);

    /** A listener to the files of a part. */
    interface Files extends AutoCloseable {
        /** Learns that so many more files are done; several threads call it. */
        void stepBy(long more);

        @Override
        void close();
    }

    /** Returns a listener that prints a line for each part, and draws a bar of its files. */
    static RunProgress narrated(Narrator narrator) {
        return new RunProgress() {
            @Override
            public void accept(String part) {
                narrator.accept(part);
            }

            @Override
            public Files begins(String part, long files) {
                narrator.accept(part);
                ProgressBar bar = narrator.bar(part, files);
                return new Files() {
                    @Override
                    public void stepBy(long more) {
                        bar.stepBy(more);
                    }

                    @Override
                    public void close() {
                        bar.close();
                    }
                };
            }
        };
    }
}

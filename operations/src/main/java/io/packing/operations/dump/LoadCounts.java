// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Counts of the entries that a load made and of those that it could not make. Thread-safe. */
final class LoadCounts {
    private final BdtLookups bdt;
    private final Consumer<String> warnings;
    private final AtomicLong files = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong directories = new AtomicLong();
    private final AtomicLong there = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    LoadCounts(BdtLookups bdt, Consumer<String> warnings) {
        this.bdt = bdt;
        this.warnings = warnings;
    }

    void directory(FilePath path, Outcome outcome) {
        if (outcome == Outcome.DONE) {
            directories.incrementAndGet();
        } else {
            failed(path, "the directory cannot be made: " + outcome);
        }
    }

    void made(FileAttributes attributes) {
        files.incrementAndGet();
        bytes.addAndGet(attributes.length());
    }

    void isThere() {
        there.incrementAndGet();
    }

    void failed(FilePath path, String why) {
        failed.incrementAndGet();
        warnings.accept("%s: %s".formatted(path, why));
    }

    /** Returns whether a file of this length and time is at a path. */
    boolean isThere(FilePath path, FileAttributes wanted) throws IOException {
        Optional<FileStatus> there = bdt.stat(path);
        return there.isPresent()
                && !there.get().isDirectory()
                && there.get().attributes().length() == wanted.length()
                && there.get().attributes().mtimeMillis() == wanted.mtimeMillis();
    }

    LoadResult result() {
        return new LoadResult(files.get(), bytes.get(), directories.get(), there.get(), failed.get());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.texts;

import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Texts in files of a directory that no other process changes. */
final class TextFiles implements MasterTexts {
    private final Path directory;
    private volatile long version;

    TextFiles(Path directory) {
        this.directory = directory;
    }

    @Override
    public long version() {
        return version;
    }

    @Override
    public boolean mayChange() {
        return true;
    }

    @Override
    public Optional<String> read(String name) throws IOException {
        Path file = directory.resolve(name);
        return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    }

    @Override
    public synchronized void write(String name, String text, long before) throws IOException {
        if (before != version) {
            throw new IllegalStateException("version %d is followed by %d".formatted(before, version));
        }
        DurableFile.write(directory, name, text);
        version = before + 1;
    }

    @Override
    public String where(String name) {
        return directory.resolve(name).toString();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/** A token in a file, which it reads again when the file has changed. Thread-safe. */
final class TokenFile implements Security.TokenSource {
    private static final long MOST_BYTES = 4 << 10;

    private final Path file;
    private volatile Optional<Read> read = Optional.empty();

    private record Read(FileTime modified, String token) {}

    TokenFile(Path file) {
        this.file = file;
    }

    /**
     * Returns the token.
     *
     * @throws UncheckedIOException when the file cannot be read
     */
    @Override
    public Optional<String> token() {
        try {
            FileTime modified = Files.getLastModifiedTime(file);
            Optional<Read> last = read;
            if (last.isEmpty() || !last.get().modified().equals(modified)) {
                last = Optional.of(new Read(modified, text()));
                read = last;
            }
            return last.map(Read::token);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the token in %s: %s".formatted(file, e), e);
        }
    }

    private String text() throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException("it is no token: too long");
        }
        String text = Files.readString(file).strip();
        if (!text.matches("[A-Za-z0-9_-]+")) {
            throw new IOException("it is no token: want one line of letters, digits, - and _");
        }
        return text;
    }
}

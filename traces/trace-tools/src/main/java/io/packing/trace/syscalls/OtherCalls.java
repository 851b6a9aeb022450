// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The calls of Linux that neither move bytes of files nor name one: a log may have them, a trace does not. */
final class OtherCalls {
    private static final Set<String> NAMES = read();

    private OtherCalls() {}

    static boolean isKnown(String name) {
        return NAMES.contains(name);
    }

    private static Set<String> read() {
        try (InputStream in = Objects.requireNonNull(OtherCalls.class.getResourceAsStream("calls-without-files.txt"))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The list, with reasons, of Hadoop's methods that are not recorded under their own name. */
final class UntracedMethods {
    private static final String RESOURCE = "untraced.txt";

    private UntracedMethods() {}

    /** Reads the list: signatures under {@code [reason]} lines. */
    static Map<String, String> read() {
        Map<String, String> reasons = new HashMap<>();
        try (InputStream in = Objects.requireNonNull(UntracedMethods.class.getResourceAsStream(RESOURCE));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String reason = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isBlank() || line.startsWith("#")) {
                    continue;
                }
                if (line.startsWith("[")) {
                    reason = line;
                } else if (reason.isEmpty() || reasons.put(line, reason) != null) {
                    throw new IllegalStateException(RESOURCE + ": without a reason, or twice: " + line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reasons;
    }

    /** Returns the list's name of a method: with the class that a user sees, not the declaring one. */
    static String signature(Class<?> seen, Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(",", "%s.%s(".formatted(seen.getSimpleName(), method.getName()), ")"));
    }
}

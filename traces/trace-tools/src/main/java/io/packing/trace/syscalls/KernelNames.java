// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The names that the kernel's headers give to numbers: of errors, choices and flags. */
final class KernelNames {
    private static final String FLAGS = "flags";
    private static final int ACCESS_MODE = 3;
    private static final List<String> ACCESS_MODES = List.of("O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE");

    private final Map<Long, String> errors = new HashMap<>();
    private final Map<String, Map<Long, String>> choices = new HashMap<>();
    private final Map<String, Map<Long, String>> flags = new HashMap<>();

    private KernelNames() {}

    /** Reads the names that come with the program. */
    static KernelNames read() throws IOException {
        KernelNames names = new KernelNames();
        for (String line : lines("errors.txt")) {
            String[] words = line.split(" ", 2);
            names.errors.put(Long.parseLong(words[0]), words[1]);
        }
        for (String line : lines("flags.txt")) {
            List<String> words = List.of(line.split(" ", -1));
            Map<Long, String> byNumber = new LinkedHashMap<>();
            for (int i = 2; i + 1 < words.size(); i += 2) {
                byNumber.put(Long.decode(words.get(i)), words.get(i + 1));
            }
            (words.get(0).equals(FLAGS) ? names.flags : names.choices).put(words.get(1), byNumber);
        }
        return names;
    }

    /** Reads the lines of a table beside this class, without its comments. */
    static List<String> lines(String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(KernelNames.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }

    /** Returns the name of an error, or its number. */
    String error(long number) {
        return errors.getOrDefault(number, Long.toString(number));
    }

    boolean hasFlags(String kind) {
        return flags.containsKey(kind);
    }

    boolean hasChoice(String kind) {
        return choices.containsKey(kind);
    }

    /** Returns the name of a choice, or its number. */
    String choice(String kind, long number) {
        return Objects.requireNonNull(choices.get(kind), kind).getOrDefault(number, Long.toString(number));
    }

    /** Returns the names of the flags that a number has, with bars between; the rest of it as a number. */
    String flags(String kind, long number) {
        StringBuilder text = new StringBuilder();
        long rest = number;
        for (Map.Entry<Long, String> flag :
                Objects.requireNonNull(flags.get(kind), kind).entrySet()) {
            if ((rest & flag.getKey()) == flag.getKey()) {
                text.append(text.isEmpty() ? "" : "|").append(flag.getValue());
                rest &= ~flag.getKey();
            }
        }
        if (rest != 0) {
            text.append(text.isEmpty() ? "0x" : "|0x").append(Long.toHexString(rest));
        }
        return text.isEmpty() ? "0" : text.toString();
    }

    /** Returns the flags of an open, whose access mode is a choice. */
    String open(long number) {
        String mode = ACCESS_MODES.get((int) (number & ACCESS_MODE));
        long rest = number & ~ACCESS_MODE & 0xffffffffL;
        return rest == 0 ? mode : mode + "|" + flags("open", rest);
    }
}

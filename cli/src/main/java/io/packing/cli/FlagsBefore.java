// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Flags of earlier versions that had another meaning elsewhere: this version takes them for the last time. */
final class FlagsBefore {
    /** The flag of now, by a command with its flag of before. */
    private static final Map<String, String> NOW = Map.of(
            "load --bytes", "--copy-bytes",
            "load --from", "--source-option",
            "pull --files", "--files-dir",
            "pull --to", "--out",
            "blob extract --to", "--out",
            "estimate --store", "--prices",
            "trace anonymize --threads", "--hash-threads",
            "trace analyze --hadoop-conf", "--hadoop-conf-dir",
            "trace replay --hadoop-conf", "--hadoop-conf-dir",
            "trace synth --length", "--duration");

    private FlagsBefore() {}

    /** Returns the words with the flags of now, and prints a line for each replaced flag. */
    static List<String> replaced(List<String> words, PrintWriter err) {
        String one = words.isEmpty() ? "" : words.get(0);
        String two = words.size() < 2 ? "" : one + " " + words.get(1);
        List<String> all = new ArrayList<>();
        for (String word : words) {
            String flag = word.split("=", 2)[0];
            String now = NOW.getOrDefault(two + " " + flag, NOW.getOrDefault(one + " " + flag, flag));
            if (!now.equals(flag)) {
                err.println("packing: %s is taken for this version only; use %s".formatted(flag, now));
                err.flush();
            }
            all.add(now + word.substring(flag.length()));
        }
        return all;
    }
}

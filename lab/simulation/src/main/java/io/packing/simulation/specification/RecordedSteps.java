// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.specification;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The steps that a schedule recorded, in the language of the specification. Ids, positions and blobs get small numbers in their order,
 * since numbers of the log jump by 2^32, and TLC's are smaller.
 *
 * @param steps records of TLA+
 * @param files the number of files that they name
 * @param blobs the number of blobs
 */
record RecordedSteps(long seed, List<String> steps, int files, int blobs) {
    private static final String MARK = "step";
    private static final String PACKED = "packed";

    RecordedSteps {
        steps = List.copyOf(steps);
    }

    /** Returns the steps that the record of a schedule has. */
    static RecordedSteps of(long seed, List<String> records) {
        List<List<String>> lines = records.stream()
                .flatMap(String::lines)
                .map(line -> Arrays.asList(line.split(" ", -1)))
                .filter(words -> words.get(0).equals(MARK))
                .map(words -> words.subList(1, words.size()))
                .toList();
        Numbers numbers = new Numbers();
        records.forEach(numbers::pack);
        lines.forEach(words -> numbers.add(words));
        numbers.close();
        List<String> steps = lines.stream().map(words -> tla(words, numbers)).toList();
        return new RecordedSteps(seed, steps, numbers.files.size(), numbers.blobs.size());
    }

    /** The small numbers of a schedule. */
    private static final class Numbers {
        private final SortedSet<Long> seenFiles = new TreeSet<>();
        private final SortedSet<Long> seenPositions = new TreeSet<>();
        private final Map<Long, Integer> files = new TreeMap<>();
        private final Map<Long, Integer> positions = new TreeMap<>();
        private final Map<String, Integer> blobs = new LinkedHashMap<>();
        /** The files of each blob. */
        private final Map<String, List<String>> packed = new LinkedHashMap<>();

        /** Notes a line about the files of a blob: the push was recorded when the store had it. */
        private void pack(String line) {
            List<String> words = Arrays.asList(line.split(" ", -1));
            if (words.get(0).equals(PACKED)) {
                boolean unused = packed.computeIfAbsent(words.get(1), unseen -> new ArrayList<>())
                        .add(words.get(2));
                file(words.get(2));
            }
        }

        private void add(List<String> words) {
            switch (words.get(0)) {
                case "register" -> position(words.get(2));
                case "id", "keep", "refuse" -> {
                    position(words.get(2));
                    file(words.get(3));
                }
                case "claim" -> {
                    position(words.get(2));
                    file(words.get(3));
                    position(words.get(4));
                }
                case "granted", "ack", "order", "forget" -> file(words.get(2));
                case "end" -> file(words.get(1));
                case "push" -> blob(words.get(2));
                case "commit" -> {
                    position(words.get(2));
                    blob(words.get(3));
                    words.subList(4, words.size()).forEach(this::file);
                }
                case "reclaimed" -> position(words.get(2));
                default -> {
                    // Others have no numbers.
                }
            }
        }

        private void file(String word) {
            boolean unused = seenFiles.add(Long.parseLong(word));
        }

        private void position(String word) {
            boolean unused = seenPositions.add(Long.parseLong(word));
        }

        private void blob(String word) {
            Integer unused = blobs.putIfAbsent(word, blobs.size() + 1);
        }

        private void close() {
            // An answer without a claim names the file 0, and a session that there is none is 0.
            seenFiles.stream().filter(id -> id != 0).forEach(id -> files.put(id, files.size() + 1));
            seenPositions.stream().filter(at -> at != 0).forEach(at -> positions.put(at, positions.size() + 1));
        }

        private int fileOf(String word) {
            return files.getOrDefault(Long.parseLong(word), 0);
        }

        private int positionOf(String word) {
            return positions.getOrDefault(Long.parseLong(word), 0);
        }

        private String filesOf(List<String> words) {
            return words.stream()
                    .map(word -> Integer.toString(fileOf(word)))
                    .collect(Collectors.joining(", ", "{", "}"));
        }
    }

    private static String tla(List<String> words, Numbers numbers) {
        String what = words.get(0);
        List<String> fields = new ArrayList<>();
        fields.add("do |-> \"%s\"".formatted(what));
        switch (what) {
            case "lease", "serve", "end-master", "lose-table" -> {
                // They have no values.
            }
            case "end-worker" -> fields.add(worker(words));
            case "register" -> {
                fields.add(worker(words));
                fields.add("p |-> %d".formatted(numbers.positionOf(words.get(2))));
            }
            case "id", "keep", "refuse", "claim" -> {
                fields.add(worker(words));
                fields.add("s |-> %d".formatted(numbers.positionOf(words.get(2))));
                fields.add("f |-> %d".formatted(numbers.fileOf(words.get(3))));
                if (what.equals("claim")) {
                    fields.add("p |-> %d".formatted(numbers.positionOf(words.get(4))));
                }
            }
            case "granted", "ack", "order", "forget" -> {
                fields.add(worker(words));
                fields.add("f |-> %d".formatted(numbers.fileOf(words.get(2))));
            }
            case "end" -> fields.add("f |-> %d".formatted(numbers.fileOf(words.get(1))));
            case "push" -> {
                fields.add(worker(words));
                fields.add("b |-> \"b%d\"".formatted(numbers.blobs.get(words.get(2))));
                fields.add("fs |-> " + numbers.filesOf(numbers.packed.getOrDefault(words.get(2), List.of())));
            }
            case "commit" -> {
                fields.add(worker(words));
                fields.add("s |-> %d".formatted(numbers.positionOf(words.get(2))));
                fields.add("b |-> \"b%d\"".formatted(numbers.blobs.get(words.get(3))));
                fields.add("fs |-> " + numbers.filesOf(words.subList(4, words.size())));
            }
            case "reclaimed" -> {
                fields.add(worker(words));
                fields.add("s |-> %d".formatted(numbers.positionOf(words.get(2))));
            }
            default -> throw new IllegalArgumentException("the specification has no step " + words);
        }
        return "[" + String.join(", ", fields) + "]";
    }

    private static String worker(List<String> words) {
        return "w |-> \"%s\"".formatted(words.get(1));
    }

    /** Returns a module of TLA+ with the steps of some schedules. */
    static String module(List<RecordedSteps> schedules) {
        int files = schedules.stream().mapToInt(RecordedSteps::files).max().orElse(0);
        int blobs = schedules.stream().mapToInt(RecordedSteps::blobs).max().orElse(0);
        return """
                ------------------------------- MODULE Steps -------------------------------
                EXTENDS Naturals, Sequences
                Recorded == <<
                %s
                >>
                TraceFiles == 1..%d
                TraceBlobs == {%s}
                =============================================================================
                """.formatted(
                schedules.stream()
                        .map(each -> "  <<\n    " + String.join(",\n    ", each.steps()) + "\n  >>")
                        .collect(Collectors.joining(",\n")),
                files,
                IntStream.rangeClosed(1, blobs).mapToObj("\"b%d\""::formatted).collect(Collectors.joining(", ")));
    }
}

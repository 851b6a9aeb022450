// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.durable.DurableFile;
import io.packing.sorted.Boot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The starts of masters on a data directory. A lock on a file tells that no other process has it at this moment; together with where the
 * file was at an earlier start it tells that the process of that start has ended. A copy of the directory has a file of its own, so
 * it tells nothing about the processes of the original.
 *
 * <pre>
 * START PLACE        a line for each start, oldest first
 * </pre>
 */
final class Starts implements Predicate<String> {
    private static final String FILE = "starts";
    /** A process of so many starts ago is waited for, as another master is. */
    private static final int MOST = 1_000;

    private final String current;
    private final List<String> lines;
    private final String place;

    private Starts(String current, List<String> lines, String place) {
        this.current = current;
        this.lines = List.copyOf(lines);
        this.place = place;
    }

    /**
     * Records a start.
     *
     * @param lock the file that this process has locked
     */
    static Starts begin(Path root, Path lock) throws IOException {
        Path file = root.resolve(FILE);
        List<String> before = Files.exists(file) ? Files.readAllLines(file) : List.of();
        String current = UUID.randomUUID().toString();
        String place = Boot.place(lock);
        List<String> lines = new ArrayList<>(before.subList(Math.max(0, before.size() - MOST + 1), before.size()));
        lines.add(current + " " + place);
        DurableFile.write(root, FILE, String.join("\n", lines) + "\n");
        return new Starts(current, before, place);
    }

    /** Returns the beginning of the runs of this process. */
    String current() {
        return current;
    }

    /** Returns whether the process of a run is known to have ended: it had locked the file that this one has locked. */
    @Override
    public boolean test(String run) {
        return run.startsWith(current)
                || (!place.isEmpty()
                        && lines.stream()
                                .map(line -> line.split(" ", 2))
                                .anyMatch(parts ->
                                        parts.length == 2 && run.startsWith(parts[0]) && parts[1].equals(place)));
    }
}

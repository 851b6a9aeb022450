// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Preconditions of which most hold, and what a table must answer to those that do not. */
final class RandomPreconditions {
    private final Random random;
    private final RandomOperations draw;
    /** The version that was at a path some time ago. */
    private final Map<FilePath, FileVersion> seen = new TreeMap<>();

    RandomPreconditions(Random random, RandomOperations draw) {
        this.random = random;
        this.draw = draw;
    }

    /** Up to three; none for most vectors. */
    List<Precondition> some(ByteModel model, Bdt table) throws IOException {
        List<Precondition> some = new ArrayList<>();
        for (int i = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0; i > 0; i--) {
            FilePath path = draw.source(model);
            Optional<FileVersion> now = table.stat(path).map(FileStatus::version);
            switch (random.nextInt(6)) {
                case 0 -> some.add(new Precondition.Absent(path));
                case 1 -> some.add(new Precondition.Absent(new FilePath(draw.path())));
                case 2 -> {
                    FileVersion old = Optional.ofNullable(seen.get(path)).orElse(new FileVersion(1, 1));
                    some.add(new Precondition.SameVersion(path, old));
                }
                case 3 -> {
                    FileVersion there = now.orElse(new FileVersion(1, 1));
                    some.add(new Precondition.SameVersion(
                            path, new FileVersion(there.id(), there.generation() + 1 + random.nextInt(2))));
                }
                default -> some.add(new Precondition.SameVersion(path, now.orElse(new FileVersion(1, 1))));
            }
            now.ifPresent(version -> seen.put(path, version));
        }
        return some;
    }

    /** The first that does not hold; empty: all do. */
    static Optional<VectorResult> refusal(List<Precondition> all, ByteModel model, Bdt table) throws IOException {
        for (int i = 0; i < all.size(); i++) {
            Outcome outcome = outcome(all.get(i), model, table);
            if (outcome != Outcome.DONE) {
                return Optional.of(new VectorResult.Refused(VectorResult.Kind.PRECONDITION, i, outcome));
            }
        }
        return Optional.empty();
    }

    private static Outcome outcome(Precondition precondition, ByteModel model, Bdt table) throws IOException {
        boolean there = model.file(precondition.path()) != null
                || model.exists(precondition.path().value());
        if (precondition instanceof Precondition.SameVersion same) {
            Optional<FileVersion> now = table.stat(same.path()).map(FileStatus::version);
            if (!there) {
                return Outcome.NOT_FOUND;
            }
            return now.equals(Optional.of(same.version())) ? Outcome.DONE : Outcome.CHANGED;
        }
        return there ? Outcome.EXISTS : Outcome.DONE;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ByteRange;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.VectorResult;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The precondition that two ranges have equal bytes (ANViL §5.2). The master has no bytes, so the client compares two
 * versions, whose bytes never change. A vector that asks for both versions is then one step with the comparison. If
 * another client changes one of the files meanwhile, the master refuses the vector as {@link Outcome#CHANGED}.
 *
 * @param second of another file, or elsewhere in the same one; as long as the first
 */
public record EqualBytes(ByteRange first, ByteRange second) {
    /** The number of comparisons of files that change each time. */
    private static final int ATTEMPTS = 8;

    private static final int CHUNK = 1 << 20;

    public EqualBytes {
        if (first.length() != second.length()) {
            throw new IllegalArgumentException(
                    "%s and %s: ranges of different lengths are never equal".formatted(first, second));
        }
    }

    /** The two versions whose ranges have equal bytes. */
    public record Compared(LocatedFile first, LocatedFile second) {
        /** Returns preconditions that both versions are still at their paths. */
        public List<Precondition> preconditions() {
            return List.of(same(first), same(second));
        }

        private static Precondition same(LocatedFile file) {
            return new Precondition.SameVersion(
                    file.status().path(), file.status().version());
        }
    }

    /**
     * Compares the current versions, and newer ones if these change meanwhile.
     *
     * @return empty when the bytes differ
     * @throws FileNotFoundException when one of the files is not there
     * @throws EOFException when a range ends behind the end of its file
     * @throws UnavailableException when one of them changed each time it was compared
     */
    public Optional<Compared> compare(PackingFileSystem mount) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Compared now = new Compared(located(mount, first), located(mount, second));
            boolean equal = false;
            boolean read = false;
            try {
                equal = areEqual(mount, now);
                read = true;
            } catch (FileNotFoundException e) {
                // The bytes of a replaced version may be gone.
                if (isThere(mount, now.first) && isThere(mount, now.second)) {
                    throw e;
                }
            }
            if (equal) {
                return Optional.of(now);
            }
            // The second file was looked up after the first. If the first still has that version, both had theirs at
            // one time.
            if (read && isThere(mount, now.first)) {
                return Optional.empty();
            }
        }
        throw new UnavailableException("%s changed each time the bytes were compared; try again".formatted(this));
    }

    /**
     * Lets the second range share the bytes of the first, if they are equal. Its file keeps its version, owner, group,
     * mode and time: no reader sees a difference.
     *
     * @return whether they are equal
     * @throws IOException as {@link #compare}
     */
    public boolean share(PackingFileSystem mount) throws IOException {
        VectorResult result = apply(mount, List.of(this), List.of(), compared -> {
            long mtime = compared.get(0).second.status().attributes().mtimeMillis();
            return List.of(
                    new Operation.CloneRange(first, second.path(), second.offset()),
                    new Operation.SetAttributes(second.path(), AttributeChange.ofMtime(mtime)));
        });
        if (result instanceof VectorResult.Refused refused && refused.kind() == VectorResult.Kind.OPERATION) {
            throw new IOException("%s cannot share the bytes of %s: refused as %s; nothing has changed"
                    .formatted(second, first, refused.reason()));
        }
        return result instanceof VectorResult.Applied;
    }

    /**
     * Applies a vector if also these ranges have equal bytes, as one step with the comparison.
     *
     * @return {@link VectorResult.Refused} as {@link Outcome#CHANGED} when the bytes of a pair differ; its index counts
     *     on behind the vector's own preconditions
     * @throws IOException as {@link #compare}
     */
    public static VectorResult apply(PackingFileSystem mount, List<EqualBytes> equal, OperationVector vector)
            throws IOException {
        return apply(mount, equal, vector.preconditions(), compared -> vector.operations());
    }

    private static VectorResult apply(
            PackingFileSystem mount,
            List<EqualBytes> equal,
            List<Precondition> others,
            Function<List<Compared>, List<Operation>> operations)
            throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            List<Precondition> all = new ArrayList<>(others);
            List<Compared> compared = new ArrayList<>();
            for (EqualBytes each : equal) {
                Optional<Compared> now = each.compare(mount);
                if (now.isEmpty()) {
                    int index = others.size() + compared.size();
                    return new VectorResult.Refused(VectorResult.Kind.PRECONDITION, index, Outcome.CHANGED);
                }
                compared.add(now.get());
                all.addAll(now.get().preconditions());
            }
            VectorResult result = mount.bdt().apply(new OperationVector(all, operations.apply(compared)));
            boolean changed = result instanceof VectorResult.Refused refused
                    && refused.kind() == VectorResult.Kind.PRECONDITION
                    && refused.index() >= others.size();
            if (!changed) {
                return result;
            }
        }
        throw new UnavailableException("%s changed each time the bytes were compared; try again".formatted(equal));
    }

    @Override
    public String toString() {
        return first + " or " + second;
    }

    private static LocatedFile located(PackingFileSystem mount, ByteRange range) throws IOException {
        LocatedFile file = mount.bdt()
                .locate(range.path())
                .orElseThrow(() -> new FileNotFoundException(range.path() + ": no such file"));
        long length = file.status().attributes().length();
        if (range.end() > length) {
            throw new EOFException("%s: the file has %d bytes".formatted(range, length));
        }
        return file;
    }

    private static boolean isThere(PackingFileSystem mount, LocatedFile file) throws IOException {
        return mount.bdt()
                .stat(file.status().path())
                .filter(now -> now.version().equals(file.status().version()))
                .isPresent();
    }

    private boolean areEqual(PackingFileSystem mount, Compared files) throws IOException {
        ByteBuffer ofFirst = ByteBuffer.allocate((int) Math.min(CHUNK, first.length()));
        ByteBuffer ofSecond = ByteBuffer.allocate(ofFirst.capacity());
        try (PackingInput one = mount.open(files.first);
                PackingInput other = mount.open(files.second)) {
            for (long done = 0; done < first.length(); done += ofFirst.limit()) {
                int count = (int) Math.min(CHUNK, first.length() - done);
                fill(one, first.offset() + done, ofFirst.clear().limit(count), first);
                fill(other, second.offset() + done, ofSecond.clear().limit(count), second);
                if (ofFirst.mismatch(ofSecond) >= 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** Fills a buffer up to its limit, and makes it ready to be read. */
    private static void fill(PackingInput in, long position, ByteBuffer into, ByteRange range) throws IOException {
        while (into.hasRemaining()) {
            if (in.read(position + into.position(), into) < 0) {
                throw new EOFException("%s: its bytes end %d early".formatted(range, into.remaining()));
            }
        }
        into.flip();
    }
}

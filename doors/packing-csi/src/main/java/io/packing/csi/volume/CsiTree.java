// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The directory of a mount that has all volumes: {@code volumes/KEY}, {@code snapshots/KEY} and {@code groups/KEY}. Each of these has its
 * record in an extended attribute, and its files in {@code data}, which is what pods see. Thread-safe.
 */
public final class CsiTree {
    /** The extended attribute with a record. */
    static final String RECORD = "user.packing.csi";

    private static final String CLUSTER = "user.packing.csi.cluster";
    private static final String DATA = "data";
    private static final int PAGE = 1_000;
    /** The most entries of a listing without a limit: more would not fit into the message that clients take. */
    private static final int MOST_LISTED = 10_000;
    /** The attributes of directories that no pod sees. */
    private static final DirectoryAttributes OWN = new DirectoryAttributes("#0", "#0", 0755);

    /** The kinds of objects, each with a directory of its own. */
    public enum Kind {
        VOLUME("volume", "volumes"),
        SNAPSHOT("snapshot", "snapshots"),
        GROUP("group snapshot", "groups");

        private final String word;
        private final String directory;

        Kind(String word, String directory) {
            this.word = word;
            this.directory = directory;
        }
    }

    private final MountSource mount;
    private final FilePath base;
    private final Supplier<String> newCluster;
    private volatile Optional<String> cluster = Optional.empty();

    /**
     * Makes a tree below a directory, which the first call makes.
     *
     * @param newCluster gives a directory without an identity one
     */
    public CsiTree(MountSource mount, FilePath base, Supplier<String> newCluster) {
        this.mount = mount;
        this.base = base;
        this.newCluster = newCluster;
    }

    Bdt bdt() throws IOException {
        return mount.bdt();
    }

    public FilePath base() {
        return base;
    }

    FilePath directory(Kind kind, CsiKey key) {
        return base.child(kind.directory).child(key.value());
    }

    /** Returns the directory with the files of an object. */
    public FilePath data(Kind kind, CsiKey key) {
        return directory(kind, key).child(DATA);
    }

    /** Returns the identity of this directory of volumes, which ids carry. */
    public String cluster() throws IOException {
        Optional<String> known = cluster;
        if (known.isEmpty()) {
            known = Optional.of(begin());
            cluster = known;
        }
        return known.get();
    }

    private String begin() throws IOException {
        for (FilePath each : List.of(
                base,
                base.child(Kind.VOLUME.directory),
                base.child(Kind.SNAPSHOT.directory),
                base.child(Kind.GROUP.directory))) {
            Outcome made = bdt().mkdir(each, OWN, true);
            if (made != Outcome.DONE && made != Outcome.EXISTS) {
                throw new IOException("%s: the directory was not made: %s".formatted(each, made));
            }
        }
        Optional<String> there = readCluster();
        if (there.isPresent()) {
            return there.get();
        }
        ExtendedValue fresh = new ExtendedValue(newCluster.get().getBytes(StandardCharsets.UTF_8));
        Outcome set = bdt().setAttributes(
                        base,
                        AttributeChange.ofExtended(new ExtendedChange(ExtendedChange.Kind.CREATE, CLUSTER, fresh)));
        if (set != Outcome.DONE && set != Outcome.EXISTS) {
            throw new IOException("%s: the attribute %s was not set: %s".formatted(base, CLUSTER, set));
        }
        // Another driver may have been faster.
        return readCluster().orElseThrow(() -> new IOException("%s has no %s".formatted(base, CLUSTER)));
    }

    private Optional<String> readCluster() throws IOException {
        Optional<String> text = bdt().extended(base)
                .map(Map::copyOf)
                .map(all -> all.get(CLUSTER))
                .map(value -> new String(value.bytes(), StandardCharsets.UTF_8));
        if (text.isPresent() && !CsiId.isCluster(text.get())) {
            throw new IllegalStateException(
                    "%s: its attribute %s is no identity: another program wrote it".formatted(base, CLUSTER));
        }
        return text;
    }

    public CsiId id(CsiKey key) throws IOException {
        return new CsiId(cluster(), key);
    }

    /**
     * Reads an id of a request; empty: no driver gave it, so there is no such object.
     *
     * @throws CsiRefusal when it is empty, or of another cluster
     */
    public Optional<CsiId> known(Kind kind, String text) throws IOException {
        if (text.isEmpty()) {
            throw CsiRefusal.invalid("the id of the %s is empty".formatted(kind.word));
        }
        Optional<CsiId> id = CsiId.parse(text);
        if (id.isPresent() && !id.get().cluster().equals(cluster())) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.NOT_FOUND,
                    "the %s %s is of the cluster %s, and this driver serves %s, the cluster %s: ask the driver of the other one"
                            .formatted(kind.word, id.get(), id.get().cluster(), base, cluster()));
        }
        return id;
    }

    /** Returns the refusal for an object that is not there. */
    static CsiRefusal missing(Kind kind, Object id) {
        return new CsiRefusal(
                CsiRefusal.Reason.NOT_FOUND, "there is no %s '%.200s'".formatted(kind.word, id.toString()));
    }

    /** Returns the record of an object; empty: it is not there. The directories above it are. */
    Optional<ExtendedValue> record(Kind kind, CsiKey key) throws IOException {
        String unused = cluster();
        return bdt().extended(directory(kind, key)).map(Map::copyOf).map(all -> all.get(RECORD));
    }

    /** Returns the operations that make an object's directory with its record, but for its data. */
    List<Operation> make(Kind kind, CsiKey key, ExtendedValue record) {
        FilePath directory = directory(kind, key);
        return List.of(
                new Operation.MakeDirectory(directory, OWN, false),
                new Operation.SetAttributes(directory, put(record)));
    }

    static AttributeChange put(ExtendedValue record) {
        return AttributeChange.ofExtended(ExtendedChange.put(RECORD, record));
    }

    /** Does all operations, or none; returns the refused one. */
    Optional<VectorResult.Refused> apply(List<Operation> operations) throws IOException {
        VectorResult result;
        try {
            result = bdt().apply(new OperationVector(List.of(), operations));
        } catch (IllegalArgumentException e) {
            // Such as a clone of too many clones.
            throw new CsiRefusal(CsiRefusal.Reason.FAILED_PRECONDITION, String.valueOf(e.getMessage()), e);
        }
        return result instanceof VectorResult.Refused refused ? Optional.of(refused) : Optional.empty();
    }

    /** Deletes an object with all that it has; one that is not there is no error. */
    void delete(Kind kind, CsiKey key) throws IOException {
        FilePath directory = directory(kind, key);
        Outcome outcome;
        try {
            outcome = bdt().delete(directory, true);
        } catch (IllegalArgumentException e) {
            // Such as snapshots that an operator took in it.
            throw new CsiRefusal(CsiRefusal.Reason.FAILED_PRECONDITION, String.valueOf(e.getMessage()), e);
        }
        if (outcome != Outcome.DONE && outcome != Outcome.NOT_FOUND) {
            throw new IOException("%s was not deleted: %s".formatted(directory, outcome));
        }
    }

    /** Reads an object by its key; empty: what is there is none. */
    interface Reader<T> {
        Optional<T> read(CsiKey key) throws IOException;
    }

    /**
     * Lists objects in the order of their keys.
     *
     * @param most 0: {@value #MOST_LISTED}
     */
    <T> CsiListing<T> list(Kind kind, String token, int most, Reader<T> reader) throws IOException {
        if (most < 0) {
            throw CsiRefusal.invalid("a listing of %d entries".formatted(most));
        }
        String unused = cluster();
        FilePath directory = base.child(kind.directory);
        List<T> found = new ArrayList<>();
        String after = CsiListing.after(token);
        CsiKey last = new CsiKey("0");
        for (List<FileStatus> page = page(directory, after); !page.isEmpty(); page = page(directory, after)) {
            for (FileStatus each : page) {
                after = each.path().name();
                Optional<CsiKey> key = CsiKey.parse(after);
                Optional<T> read = key.isEmpty() ? Optional.empty() : reader.read(key.get());
                if (read.isEmpty()) {
                    continue;
                }
                if (found.size() == (most == 0 ? MOST_LISTED : most)) {
                    return new CsiListing<>(found, Optional.of(CsiListing.token(last)));
                }
                found.add(read.get());
                last = key.get();
            }
        }
        return new CsiListing<>(found, Optional.empty());
    }

    private List<FileStatus> page(FilePath directory, String after) throws IOException {
        return bdt().list(directory, after, PAGE).orElse(List.of());
    }
}

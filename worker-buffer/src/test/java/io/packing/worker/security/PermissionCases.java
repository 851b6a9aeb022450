// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AccessMode;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.ByteRange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Stream;

/** The operations of users, and the rights that they need. */
final class PermissionCases {
    private static final int R = AccessMode.READ;
    private static final int W = AccessMode.WRITE;
    private static final int X = AccessMode.SEARCH;

    private PermissionCases() {}

    /** Two directories: one with a file and a directory with a file; one with a file and an empty directory. */
    record Tree(FilePath from, FilePath to) {
        FilePath file() {
            return from.child("file");
        }

        FilePath below() {
            return from.child("below");
        }

        FilePath target() {
            return to.child("target");
        }

        FilePath empty() {
            return to.child("empty");
        }

        FilePath created() {
            return to.child("new");
        }

        Map<String, FilePath> named() {
            return Map.of(
                    "from", from, "to", to, "file", file(), "below", below(), "target", target(), "empty", empty());
        }
    }

    interface Act {
        void by(RemotePackingFileSystem mount, Tree tree) throws Exception;
    }

    /** An act of a user, and the rights that it needs: bits by the names of {@link Tree#named}. */
    record Case(String name, Map<String, Integer> needs, Act act) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(String name, Act act, Object... needs) {
        Map<String, Integer> rights = new LinkedHashMap<>();
        for (int i = 0; i < needs.length; i += 2) {
            rights.put((String) needs[i], (Integer) needs[i + 1]);
        }
        return new Case(name, rights, act);
    }

    static void done(Outcome outcome) {
        assertThat(outcome).isEqualTo(Outcome.DONE);
    }

    static void apply(Bdt bdt, Operation... operations) throws IOException {
        assertThat(bdt.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    private static Act op(Function<Tree, Operation> operation) {
        return (mount, tree) -> apply(mount.bdt(), operation.apply(tree));
    }

    static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    private static final DirectoryAttributes ASKED = new DirectoryAttributes("", "", 0700);

    private static void put(RemotePackingFileSystem mount, FilePath path, boolean overwrite) throws Exception {
        try {
            assertThat(mount.put(path, ByteBuffer.wrap(new byte[10]), new CreateOptions("", "", 0600, true, overwrite))
                            .get())
                    .isNotNull();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(reads(), names(), bytes(), trees()).flatMap(List::stream);
    }

    private static List<Case> reads() {
        return List.of(
                of("stat", (m, t) -> assertThat(m.bdt().stat(t.file())).isPresent(), "from", X),
                of(
                        "nearest",
                        (m, t) ->
                                assertThat(m.bdt().nearest(t.file().child("x"))).isNotNull(),
                        "from",
                        X),
                of(
                        "nearest to create",
                        (m, t) ->
                                assertThat(m.bdt().nearestToCreate(t.created())).isNotNull(),
                        "to",
                        W | X),
                of("access r", (m, t) -> assertThat(m.bdt().access(t.file(), R)).isTrue(), "from", X, "file", R),
                of("access w", (m, t) -> assertThat(m.bdt().access(t.file(), W)).isTrue(), "from", X, "file", W),
                of(
                        "access rwx",
                        (m, t) -> assertThat(m.bdt().access(t.from(), 7)).isTrue(),
                        "from",
                        R | W | X),
                of("locate", (m, t) -> assertThat(m.bdt().locate(t.file())).isPresent(), "from", X, "file", R),
                of("find", (m, t) -> assertThat(find(m.bdt(), t.file()).entry()).isPresent(), "from", X),
                of("find and locate", (m, t) -> findAndLocate(m.bdt(), t.file()), "from", X, "file", R),
                of("open", (m, t) -> m.open(t.file()).close(), "from", X, "file", R),
                of(
                        "list",
                        (m, t) -> assertThat(m.bdt().list(t.to(), "", 10).orElseThrow())
                                .hasSize(2),
                        "to",
                        R | X),
                of(
                        "list located",
                        (m, t) -> assertThat(m.bdt()
                                        .listLocated(t.to(), "", 10)
                                        .orElseThrow()
                                        .entries())
                                .hasSize(2),
                        "to",
                        R | X,
                        "target",
                        R),
                of(
                        "precondition",
                        (m, t) -> assertThat(m.bdt()
                                        .apply(new OperationVector(
                                                List.of(new Precondition.Absent(
                                                        t.from().child("nothing"))),
                                                List.of(new Operation.SetAttributes(t.to(), AttributeChange.NONE)))))
                                .isInstanceOf(VectorResult.Applied.class),
                        "from",
                        X));
    }

    private static FoundEntry find(Bdt bdt, FilePath path) throws IOException {
        FoundEntry found = bdt.find(List.of(path)).get(0);
        if (found.denied().isPresent()) {
            throw new DeniedException(found.denied().get());
        }
        return found;
    }

    /** Looks a file up like a reader: if the entry has no place, the reader asks for it, and is denied. */
    private static void findAndLocate(Bdt bdt, FilePath path) throws IOException {
        boolean hasPlace = find(bdt, path).entry().orElseThrow().placement().isPresent();
        assertThat(bdt.locate(path).isPresent()).isEqualTo(hasPlace);
    }

    private static List<Case> names() {
        return List.of(
                of("mkdir", (m, t) -> done(m.bdt().mkdir(t.created(), ASKED, false)), "to", W | X),
                of("mkdir -p", (m, t) -> done(m.bdt().mkdir(t.created().child("x"), ASKED, true)), "to", W | X),
                of("make directory", op(t -> new Operation.MakeDirectory(t.created(), ASKED, false)), "to", W | X),
                of("delete", (m, t) -> done(m.bdt().delete(t.file(), false)), "from", W | X),
                of("delete in a vector", op(t -> new Operation.Delete(t.file(), false)), "from", W | X),
                of("link", op(t -> new Operation.Link(t.file(), t.created())), "from", X, "to", W | X),
                of("rename", (m, t) -> done(m.bdt().rename(t.file(), t.created())), "from", W | X, "to", W | X),
                of(
                        "rename a directory",
                        (m, t) -> done(m.bdt().rename(t.below(), t.created())),
                        "from",
                        W | X,
                        "to",
                        W | X),
                of(
                        "rename over",
                        op(t -> new Operation.Rename(t.file(), t.target(), true)),
                        "from",
                        W | X,
                        "to",
                        W | X),
                of("create", op(t -> new Operation.CreateFile(t.created(), AttributeChange.NONE, false)), "to", W | X),
                of(
                        "create over",
                        op(t -> new Operation.CreateFile(t.target(), AttributeChange.NONE, true)),
                        "to",
                        W | X,
                        "target",
                        W),
                of("write", (m, t) -> put(m, t.created(), false), "to", W | X),
                of("write below", (m, t) -> put(m, t.created().child("x"), false), "to", W | X),
                of("write over", (m, t) -> put(m, t.target(), true), "to", W | X, "target", W),
                of("write large", PermissionCases::writeLarge, "to", W | X));
    }

    private static void writeLarge(RemotePackingFileSystem mount, Tree tree) throws IOException {
        try (OutputStream output = mount.create(tree.created(), new CreateOptions("", "", 0600, false, false))) {
            byte[] piece = new byte[1 << 20];
            for (int i = 0; i < 9; i++) {
                output.write(piece);
            }
        }
    }

    private static List<Case> bytes() {
        return List.of(
                of("truncate", op(t -> new Operation.Truncate(t.file(), 5)), "from", X, "file", W),
                of("delete range", op(t -> new Operation.DeleteRange(range(t.file()))), "from", X, "file", W),
                of(
                        "clone range",
                        op(t -> new Operation.CloneRange(range(t.file()), t.target(), 0)),
                        "from",
                        X,
                        "file",
                        R,
                        "to",
                        X,
                        "target",
                        W),
                of(
                        "move range",
                        op(t -> new Operation.MoveRange(range(t.file()), t.target(), 0)),
                        "from",
                        X,
                        "file",
                        R | W,
                        "to",
                        X,
                        "target",
                        W),
                of(
                        "clone",
                        op(t -> new Operation.CloneFile(t.file(), t.created(), false, AttributeChange.NONE)),
                        "from",
                        X,
                        "file",
                        R,
                        "to",
                        W | X),
                of(
                        "clone over",
                        op(t -> new Operation.CloneFile(t.file(), t.target(), true, AttributeChange.NONE)),
                        "from",
                        X,
                        "file",
                        R,
                        "to",
                        W | X,
                        "target",
                        W));
    }

    private static List<Case> trees() {
        return List.of(
                of("delete a tree", (m, t) -> done(m.bdt().delete(t.below(), true)), "from", W | X, "below", 7),
                of(
                        "delete a tree in a vector",
                        op(t -> new Operation.Delete(t.below(), true)),
                        "from",
                        W | X,
                        "below",
                        7),
                of("delete an empty directory", (m, t) -> done(m.bdt().delete(t.empty(), true)), "to", W | X),
                of(
                        "clone a tree",
                        op(t -> new Operation.CloneDirectory(t.below(), t.created())),
                        "from",
                        X,
                        "below",
                        R | X,
                        "to",
                        W | X),
                of(
                        "merge",
                        op(t -> new Operation.MergeDirectory(t.below(), t.empty())),
                        "from",
                        W | X,
                        "below",
                        7,
                        "to",
                        X,
                        "empty",
                        W | X));
    }

    private static ByteRange range(FilePath path) {
        return new ByteRange(path, 10, 20);
    }
}

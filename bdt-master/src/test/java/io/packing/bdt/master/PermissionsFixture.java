// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A table that users ask, each with their rights. */
abstract class PermissionsFixture extends MountFixture {
    static final Permissions ALICE = permissions("alice", "staff");
    static final Permissions BOB = permissions("bob", "staff", "wheel");
    static final Permissions CAROL = permissions("carol");
    static final DirectoryAttributes OPEN = new DirectoryAttributes("whoever", "wheel", 0777);

    static Permissions permissions(String user, String... groups) {
        return Permissions.of(new Principal(user, Set.of(groups), false));
    }

    Table as(Permissions who) throws IOException {
        return master.openMount(TestStores.MOUNT).table().as(who);
    }

    static FilePath path(String text) {
        return new FilePath(text);
    }

    static void done(CompletableFuture<Outcome> outcome) throws IOException {
        assertThat(Waiting.on(outcome)).isEqualTo(Outcome.DONE);
    }

    void make(Permissions who, String path, int mode) throws IOException {
        done(as(who).mkdir(0, path(path), new DirectoryAttributes("", "", mode), false));
    }

    static VectorResult apply(Table table, Operation... operations) throws IOException {
        return Waiting.on(table.apply(0, OperationVector.of(operations)));
    }

    static Operation file(String path) {
        return new Operation.CreateFile(path(path), AttributeChange.NONE, false);
    }

    static AttributeChange group(String name) {
        return new AttributeChange(Optional.empty(), Optional.of(name), OptionalInt.empty());
    }

    static AttributeChange mode(int mode) {
        return new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
    }

    interface Act {
        Object run() throws IOException;
    }

    static String denied(Act act) {
        List<String> messages = new ArrayList<>();
        assertThatExceptionOfType(DeniedException.class)
                .isThrownBy(act::run)
                .satisfies(e -> messages.add(String.valueOf(e.getMessage())));
        return messages.get(0);
    }

    FileAttributes at(String path) throws IOException {
        return table.stat(path(path)).orElseThrow().attributes();
    }
}

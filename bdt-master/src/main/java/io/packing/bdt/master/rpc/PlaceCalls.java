// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.stub.StreamObserver;
import io.packing.bdt.BdtUser;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.ListedPage;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.rpc.BdtCodec;
import io.packing.bdt.rpc.FindCodec;
import io.packing.bdt.rpc.FindReply;
import io.packing.bdt.rpc.FindRequest;
import io.packing.bdt.rpc.ListReply;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.LocateReply;
import io.packing.bdt.rpc.LocateRequest;
import io.packing.bdt.rpc.ScanCodec;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The calls whose answers say where bytes of files are, as far as the caller learns it. Translates only. */
final class PlaceCalls {
    private final ServedMounts mounts;
    private final Principals principals;

    PlaceCalls(ServedMounts mounts, Principals principals) {
        this.mounts = mounts;
        this.principals = principals;
    }

    void locate(LocateRequest request, StreamObserver<LocateReply> to) {
        Answers.answer(to, () -> {
            if (request.getForUsers()) {
                return BdtCodec.locateReply(forUsers(request));
            }
            Table table = table(request.getMount());
            Optional<LocatedFile> found = request.hasVersion() ? locate(table, request) : at(table, request);
            return BdtCodec.locateReply(principals.withholdsPlaces() ? found.map(LocatedFile::withheld) : found);
        });
    }

    private static Optional<LocatedFile> at(Table table, LocateRequest request) throws IOException {
        FilePath path = new FilePath(request.getPath());
        Optional<LocatedFile> found = table.locate(path);
        return request.getExtended() ? found : found.map(LocatedFile::withoutExtended);
    }

    private static Optional<LocatedFile> locate(Table table, LocateRequest request) throws IOException {
        FileVersion version = BdtCodec.version(request.getVersion());
        return request.getOpenedAs().isEmpty()
                ? table.locate(version)
                : table.locate(version, new FilePath(request.getOpenedAs()));
    }

    /** Tells a daemon where a version is. It learns no name by that, and asks for the rights of its users by another call. */
    private Optional<LocatedFile> forUsers(LocateRequest request) throws IOException {
        principals.checkDaemon();
        if (!request.hasVersion()) {
            throw new IllegalArgumentException("a version is located for users, and no path");
        }
        return mounts.mount(request.getMount())
                .table()
                .as(Permissions.UNCHECKED)
                .locate(BdtCodec.version(request.getVersion()))
                .map(LocatedFile::nameless);
    }

    void list(ListRequest request, StreamObserver<ListReply> to) {
        Answers.answer(to, () -> {
            Table table = table(request.getMount());
            FilePath directory = new FilePath(request.getDirectory());
            if (!request.getCloneOf().isEmpty()) {
                return FindCodec.ownNames(table.ownNames(
                        directory,
                        new FilePath(request.getCloneOf()),
                        new FilePath(request.getStartAfter()),
                        request.getLimit()));
            }
            if (request.getLocated()) {
                return ScanCodec.entries(table.listLocated(directory, request.getStartAfter(), request.getLimit())
                        .map(this::told));
            }
            ListReply.Builder reply = ListReply.newBuilder();
            table.list(directory, request.getStartAfter(), request.getLimit()).ifPresent(page -> {
                reply.setFound(true);
                page.forEach(entry ->
                        reply.addEntries(BdtCodec.status(entry, entry.path().name())));
            });
            return reply.build();
        });
    }

    void find(FindRequest request, StreamObserver<FindReply> to) {
        Answers.answer(to, () -> {
            Optional<BdtUser> user = FindCodec.user(request);
            if (user.isPresent()) {
                Permissions rights = principals.ofUserOfDaemon(user.get());
                Table table = mounts.mount(request.getMount()).table().as(rights);
                return FindCodec.reply(table.find(FindCodec.paths(request))).toBuilder()
                        .setForUser(true)
                        .build();
            }
            List<FoundEntry> found = table(request.getMount()).find(FindCodec.paths(request));
            return FindCodec.reply(found.stream()
                    .map(each -> new FoundEntry(each.entry().map(this::told), each.denied()))
                    .toList());
        });
    }

    private ListedPage told(ListedPage page) {
        return new ListedPage(page.entries().stream().map(this::told).toList(), page.isLast());
    }

    private ListedEntry told(ListedEntry entry) {
        Optional<Placement> placement = entry.placement();
        return principals.withholdsPlaces()
                ? new ListedEntry(entry.status(), placement.map(LocatedFile::withheld))
                : entry;
    }

    private Table table(String mount) throws IOException {
        return mounts.mount(mount).table().as(principals.ofCaller());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.BdtUser;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.OwnName;
import io.packing.bdt.OwnNames;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The translation of lookups of several paths, and of own names of clones. A wrong message makes it throw an {@link IllegalArgumentException}. */
public final class FindCodec {
    /** The path in an answer: the caller knows its own. */
    private static final String NO_PATH = "";

    private FindCodec() {}

    public static FindRequest request(String mount, List<FilePath> paths) {
        FindRequest.Builder request = FindRequest.newBuilder().setMount(mount);
        paths.forEach(path -> request.addPaths(path.value()));
        return request.build();
    }

    /** Returns a request of a daemon that counts the rights of a user. */
    public static FindRequest request(String mount, List<FilePath> paths, BdtUser user) {
        return request(mount, paths).toBuilder()
                .setUser(KnownRequest.User.newBuilder().setName(user.name()).setSuperuser(user.superuser()))
                .build();
    }

    /** Returns the user for whom a daemon asks. */
    public static Optional<BdtUser> user(FindRequest request) {
        return request.hasUser()
                ? Optional.of(new BdtUser(
                        request.getUser().getName(), request.getUser().getSuperuser()))
                : Optional.empty();
    }

    public static List<FilePath> paths(FindRequest request) {
        return request.getPathsList().stream().map(FilePath::new).toList();
    }

    public static FindReply reply(List<FoundEntry> found) {
        FindReply.Builder reply = FindReply.newBuilder();
        found.forEach(each -> reply.addFound(message(each)));
        return reply.build();
    }

    private static FoundMessage message(FoundEntry found) {
        FoundMessage.Builder message = FoundMessage.newBuilder();
        found.denied().ifPresent(why -> message.setDenied(StatusMapping.shortened(why)));
        if (found.entry().isPresent()) {
            ListedEntry entry = found.entry().get();
            entry.placement()
                    .ifPresentOrElse(
                            placement -> message.setFile(
                                    BdtCodec.located(new LocatedFile(entry.status(), placement), NO_PATH)),
                            () -> message.setStatus(BdtCodec.status(entry.status(), NO_PATH)));
        }
        return message.build();
    }

    /** Decodes the results for the first of the asked paths; at least one. */
    public static List<FoundEntry> found(FindReply reply, List<FilePath> asked) {
        int count = reply.getFoundCount();
        if (count == 0 || count > asked.size()) {
            throw new IllegalArgumentException("%d answers for %d paths".formatted(count, asked.size()));
        }
        List<FoundEntry> found = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            found.add(found(reply.getFound(i), asked.get(i)));
        }
        return found;
    }

    private static FoundEntry found(FoundMessage message, FilePath path) {
        return switch (message.getWhatCase()) {
            case FILE -> {
                LocatedFile file = BdtCodec.locate(message.getFile(), path);
                yield FoundEntry.of(new ListedEntry(file.status(), Optional.of(file.placement())));
            }
            case STATUS -> FoundEntry.of(new ListedEntry(BdtCodec.status(message.getStatus(), path), Optional.empty()));
            case DENIED -> new FoundEntry(Optional.empty(), Optional.of(message.getDenied()));
            case WHAT_NOT_SET -> FoundEntry.NOTHING;
        };
    }

    /** Encodes a page of own names; empty: there is no such directory. */
    public static ListReply ownNames(Optional<OwnNames> page) {
        ListReply.Builder reply = ListReply.newBuilder().setFound(page.isPresent());
        page.ifPresent(found -> reply.setOwn(OwnNamesMessage.newBuilder()
                .setClone(found.isClone())
                .addAllNames(found.names().stream()
                        .map(each -> OwnNameMessage.newBuilder()
                                .setPath(each.path().value())
                                .setWhole(each.isWhole())
                                .build())
                        .toList())
                .setNext(found.next().map(FilePath::value).orElse(""))));
        return reply.build();
    }

    public static OwnNames ownNames(OwnNamesMessage page) {
        return new OwnNames(
                page.getClone(),
                page.getNamesList().stream()
                        .map(each -> new OwnName(new FilePath(each.getPath()), each.getWhole()))
                        .toList(),
                page.getNext().isEmpty() ? Optional.empty() : Optional.of(new FilePath(page.getNext())));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import io.packing.bdt.BdtUser;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.OwnNames;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.FindCodec;
import io.packing.bdt.rpc.FindReply;
import io.packing.bdt.rpc.ListReply;
import io.packing.bdt.rpc.ListRequest;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lookups of paths in as few requests as their size allows, and of the own names of clones. */
final class FindCalls {
    private FindCalls() {}

    static List<FoundEntry> find(MountCalls mount, List<FilePath> paths) throws IOException {
        FoundEntry.checkCount(paths.size());
        List<FoundEntry> found = new ArrayList<>(paths.size());
        while (found.size() < paths.size()) {
            List<FilePath> asked = first(paths.subList(found.size(), paths.size()));
            FindReply reply = mount.call(
                    "find %d paths".formatted(asked.size()), (stub, id) -> stub.find(FindCodec.request(id, asked)));
            found.addAll(FindCodec.found(reply, asked));
        }
        return found;
    }

    /** Asks for a page of the own names of a clone. */
    static OwnNames ownNames(MountCalls mount, FilePath clone, FilePath source, FilePath after, int limit)
            throws IOException {
        ListReply reply = mount.call(
                "list own names of " + clone,
                (stub, id) -> stub.list(ListRequest.newBuilder()
                        .setMount(id)
                        .setDirectory(clone.value())
                        .setCloneOf(source.value())
                        .setStartAfter(after.value())
                        .setLimit(limit)
                        .build()));
        if (!reply.getFound()) {
            throw new FileNotFoundException("%s or %s: no such directory".formatted(clone, source));
        }
        if (!reply.hasOwn()) {
            throw new UnsupportedOperationException(
                    "the master is of an older version, which lists no own names of clones: update it");
        }
        return FindCodec.ownNames(reply.getOwn());
    }

    /** Looks up paths with the rights of a user; empty: the master knows no other rights than the caller's. */
    static Optional<List<FoundEntry>> findForUser(MountCalls mount, List<FilePath> paths, BdtUser user)
            throws IOException {
        FoundEntry.checkCount(paths.size());
        List<FoundEntry> found = new ArrayList<>(paths.size());
        while (found.size() < paths.size()) {
            List<FilePath> asked = first(paths.subList(found.size(), paths.size()));
            FindReply reply;
            try {
                reply = mount.call(
                        "find %d paths".formatted(asked.size()),
                        (stub, id) -> stub.find(FindCodec.request(id, asked, user)));
            } catch (IOException e) {
                if (StatusMapping.isUnknownCall(e)) {
                    return Optional.empty();
                }
                throw e;
            }
            if (!reply.getForUser()) {
                return Optional.empty();
            }
            found.addAll(FindCodec.found(reply, asked));
        }
        return Optional.of(found);
    }

    /** Returns as many of the paths as fit in one message; at least one. */
    private static List<FilePath> first(List<FilePath> paths) {
        int characters = 0;
        int count = 0;
        while (count < paths.size()) {
            characters += paths.get(count).value().length();
            if (count > 0 && characters > BdtLimits.FOUND_CHARACTERS) {
                break;
            }
            count++;
        }
        return paths.subList(0, count);
    }
}

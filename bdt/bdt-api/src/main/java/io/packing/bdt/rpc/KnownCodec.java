// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.BdtUser;
import io.packing.bdt.WantedContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The translation of questions about contents to messages and back. */
public final class KnownCodec {
    private KnownCodec() {}

    /** Adds contents to a request. */
    public static void add(List<WantedContent> contents, KnownRequest.Builder to) {
        contents.forEach(each -> to.addSha256(BdtCodec.hash(each.sha256())));
        if (contents.stream().anyMatch(each -> each.user().isPresent())) {
            contents.forEach(each -> to.addUsers(KnownRequest.User.newBuilder()
                    .setName(each.user().map(BdtUser::name).orElse(""))
                    .setSuperuser(each.user().map(BdtUser::superuser).orElse(false))));
        }
    }

    /**
     * Returns the contents of a request.
     *
     * @throws IllegalArgumentException when it names more or fewer users than contents
     */
    public static List<WantedContent> contents(KnownRequest request) {
        int users = request.getUsersCount();
        if (users != 0 && users != request.getSha256Count()) {
            throw new IllegalArgumentException("%d users of %d hashes".formatted(users, request.getSha256Count()));
        }
        List<WantedContent> contents = new ArrayList<>(request.getSha256Count());
        for (int i = 0; i < request.getSha256Count(); i++) {
            contents.add(new WantedContent(
                    BdtCodec.hash(request.getSha256(i)), users == 0 ? Optional.empty() : user(request.getUsers(i))));
        }
        return contents;
    }

    private static Optional<BdtUser> user(KnownRequest.User user) {
        return user.getName().isEmpty()
                ? Optional.empty()
                : Optional.of(new BdtUser(user.getName(), user.getSuperuser()));
    }
}

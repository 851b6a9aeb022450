// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.bdt.master.rpc.Principals;
import io.packing.bdt.master.usergroups.UnixUserGroups;
import io.packing.bdt.master.usergroups.UserGroupFile;
import io.packing.bdt.master.usergroups.UserGroups;
import io.packing.transport.Security;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The terms of checks of users' rights on files.
 *
 * @param checked whether it does
 * @param groups where it has the groups of users from, opened when it starts
 * @param supergroup whose members pass all checks; empty: no user
 * @param workersByName whether a worker's id is the name in its certificate
 * @param places to whom it names places in blobs
 */
public record PermissionOptions(
        boolean checked, Supplier<UserGroups> groups, String supergroup, boolean workersByName, Places places) {
    /** Callers who learn where in blobs the bytes of a file are, if they may read the file. */
    enum Places {
        /** All who may read the file. */
        ALL,
        /** Daemons and superusers only. For others, workers read blobs. */
        DAEMONS
    }

    /** Those of the options' defaults. */
    public static final PermissionOptions USUAL =
            new PermissionOptions(true, UnixUserGroups::new, "supergroup", false, Places.ALL);

    private static final String UNIX = "unix";

    /** Returns what a master with this identity knows of the rights of its callers. */
    Principals.PrincipalOptions principals(Security security, LongSupplier nanos) {
        if (security.tls().isEmpty()) {
            return Principals.UNCHECKED;
        }
        Principals.PrincipalOptions who =
                checked ? Principals.of(groups.get(), supergroup, nanos) : Principals.UNCHECKED;
        Principals.PrincipalOptions named = workersByName ? who.withWorkersByName() : who;
        return places == Places.DAEMONS ? named.withPlacesForDaemons() : named;
    }

    /** @param where {@code unix}, or a file */
    static Supplier<UserGroups> groups(String where) {
        return where.equals(UNIX) ? UnixUserGroups::new : () -> UserGroupFile.read(Path.of(where));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.bdt.BdtUser;
import io.packing.bdt.DeniedException;
import io.packing.bdt.master.table.operation.Claimants;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.read.Principal;
import io.packing.bdt.master.usergroups.UserGroups;
import io.packing.transport.identity.Identity;
import io.packing.transport.identity.Role;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users whose rights on files count in a call (RFC 0007). Thread-safe. */
public final class Principals {
    /** The terms of a master that checks no user. */
    public static final PrincipalOptions UNCHECKED = new PrincipalOptions(Optional.empty(), false, false);

    private static final Logger LOG = LoggerFactory.getLogger(Principals.class);
    private static final int MOST_USERS = 10_000;

    private volatile PrincipalOptions terms;

    public Principals(PrincipalOptions terms) {
        this.terms = terms;
    }

    /** From the next call on, these hold. */
    public void take(PrincipalOptions other) {
        terms = other;
    }

    /** Options by which callers are identified, and the rights that they have then. */
    public static final class PrincipalOptions {
        private final Optional<Known> known;
        private final boolean workersByName;
        private final boolean placesForDaemons;

        private PrincipalOptions(Optional<Known> known, boolean workersByName, boolean placesForDaemons) {
            this.known = known;
            this.workersByName = workersByName;
            this.placesForDaemons = placesForDaemons;
        }

        /** Returns these terms, with the name in a worker's certificate as its id. */
        public PrincipalOptions withWorkersByName() {
            return new PrincipalOptions(known, true, placesForDaemons);
        }

        /** Returns these terms with places in blobs for daemons and superusers only. */
        public PrincipalOptions withPlacesForDaemons() {
            return new PrincipalOptions(known, workersByName, true);
        }
    }

    /** Refuses a caller who may not call itself by a worker's id. */
    void checkWorker(String worker) throws DeniedException {
        if (terms.workersByName) {
            BdtUser caller = caller();
            if (!caller.superuser() && !caller.name().equals(worker)) {
                throw new DeniedException(
                        ("Permission denied: worker id '%s' is not the name in the certificate, CN=%s: start the worker with that"
                                        + " id, or give it another certificate")
                                .formatted(worker, caller.name()));
            }
        }
    }

    /** Returns whether the caller learns no places in blobs: workers read them for it. */
    boolean withholdsPlaces() {
        return terms.placesForDaemons && !isDaemon();
    }

    /** Returns whether the caller is a daemon or a superuser. */
    private static boolean isDaemon() {
        return Identity.current().filter(who -> who.has(Role.DAEMON)).isPresent();
    }

    /** Refuses a caller who is known and is neither a daemon nor a superuser. */
    void checkDaemon() throws DeniedException {
        Optional<Identity> caller = Identity.current();
        if (caller.isPresent() && !isDaemon()) {
            throw new DeniedException(
                    "Permission denied: user=%s is no worker, which alone locates versions for users: its certificate lacks O=packing-daemon"
                            .formatted(caller.get().user()));
        }
    }

    /**
     * Those of the users that are identified.
     *
     * @param supergroup whose members pass all checks; empty: nobody does
     * @param nanoClock by which what is known of users gets old
     */
    public static PrincipalOptions of(UserGroups groups, String supergroup, LongSupplier nanoClock) {
        Cache<String, Permissions> users = Caffeine.newBuilder()
                .maximumSize(MOST_USERS)
                .expireAfterWrite(groups.keep())
                .ticker(nanoClock::getAsLong)
                .executor(Runnable::run)
                .build();
        return new PrincipalOptions(Optional.of(new Known(groups, supergroup, users)), false, false);
    }

    private record Known(UserGroups groups, String supergroup, Cache<String, Permissions> users) {
        Permissions of(BdtUser user) {
            return user.superuser() ? Permissions.UNCHECKED : users.get(user.name(), this::load);
        }

        private Permissions load(String user) {
            Set<String> in;
            try {
                in = groups.groups(user);
            } catch (IOException e) {
                LOG.warn("the groups of {} are not known, so it counts as a member of none: {}", user, e.toString());
                in = Set.of();
            }
            return Permissions.of(new Principal(user, in, in.contains(supergroup)));
        }
    }

    /** Returns the permissions of the current call's caller. */
    Permissions ofCaller() throws DeniedException {
        Optional<Known> known = terms.known;
        return known.isEmpty() ? Permissions.UNCHECKED : known.get().of(caller());
    }

    /** Returns the permissions of a user for whom the caller asks; only daemons and superusers may ask for others. */
    Permissions of(String user) throws DeniedException {
        Optional<Known> known = terms.known;
        if (known.isEmpty()) {
            return Permissions.UNCHECKED;
        }
        BdtUser caller = caller();
        if (user.isEmpty() || user.equals(caller.name())) {
            return known.get().of(caller);
        }
        if (!isDaemon()) {
            throw new DeniedException(
                    "Permission denied: user=%s may not ask for the rights of %s".formatted(caller.name(), user));
        }
        return known.get().of(new BdtUser(user, false));
    }

    /**
     * Returns the permissions of a user for whom a daemon reads. The daemon has checked the user's certificate.
     *
     * @throws DeniedException when the caller is no daemon
     */
    Permissions ofUserOfDaemon(BdtUser user) throws DeniedException {
        checkDaemon();
        Optional<Known> known = terms.known;
        return known.isEmpty() ? Permissions.UNCHECKED : known.get().of(user);
    }

    /** Returns the rights of a user who is no superuser; a worker in this process asks for the user. */
    public Permissions ofUser(String user) {
        return terms.known.map(known -> known.of(new BdtUser(user, false))).orElse(Permissions.UNCHECKED);
    }

    /** Returns what those may do for whom the caller, a worker, claims files, or asks whether bytes are known; empty: for itself. */
    Claimants claimants(Stream<Optional<BdtUser>> asked) throws DeniedException {
        Optional<Known> known = terms.known;
        if (known.isEmpty()) {
            return Claimants.ANYBODY;
        }
        Known all = known.get();
        BdtUser worker = caller();
        // Asked for now, since the writer must not wait for them.
        Map<BdtUser, Permissions> users = new HashMap<>();
        asked.forEach(user -> users.computeIfAbsent(user.orElse(worker), all::of));
        return user -> Optional.ofNullable(users.get(user.orElse(worker)))
                .orElseThrow(() -> new IllegalStateException("the rights of %s were not asked for".formatted(user)));
    }

    private static BdtUser caller() throws DeniedException {
        Identity caller = Identity.current()
                .orElseThrow(() -> new DeniedException("Permission denied: the call came without an identity"));
        return new BdtUser(caller.user(), caller.has(Role.SUPERUSER));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.raft.VirtualLog.Entry;
import io.packing.bdt.raft.group.LeaderLease;
import io.packing.bdt.raft.group.MasterGroupEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/**
 * Raft by the book for one {@link VirtualMember}: elections, entries, truncation, commits. The term, the vote and the
 * forced part of the log survive a loss of power.
 */
final class VirtualRaft {
    private static final int ENTRIES_A_MESSAGE = 8;
    private static final long HEARTBEAT = 40_000;
    private static final LeaderLease LEASE = new LeaderLease(100_000);

    private enum Role {
        FOLLOWER,
        CANDIDATE,
        LEADER
    }

    private final VirtualMember member;
    private final VirtualGroup group;
    private final Random random;

    private final VirtualLog log = new VirtualLog();
    private long term;
    private Optional<Integer> voted = Optional.empty();

    private Role role = Role.FOLLOWER;
    private Optional<Integer> leader = Optional.empty();
    private long committed;
    private int waits;
    private long elected;
    private final Set<Integer> votes = new HashSet<>();
    /** The followers by members' ids, as the leader knows them; its own entry is unused. */
    private final List<Follower> followers = new ArrayList<>();

    /** The leader's record of a follower. */
    private static final class Follower {
        private long next;
        private long match = -1;
        /** The time of the last acknowledged message. */
        private long acknowledged;
    }

    VirtualRaft(VirtualMember member, VirtualGroup group, Random random) {
        this.member = member;
        this.group = group;
        this.random = random;
    }

    VirtualLog log() {
        return log;
    }

    long term() {
        return term;
    }

    boolean isLeader() {
        return role == Role.LEADER;
    }

    Optional<Integer> leader() {
        return leader;
    }

    /** Returns the index of the last committed entry. */
    long committed() {
        return committed;
    }

    /** Returns whether no other member can have led meanwhile, by the product's class. */
    boolean hasLease() {
        long now = member.clock();
        return LEASE.isFree(elected, now) && now - LEASE.end(followersOf(each -> each.acknowledged), now) < 0;
    }

    /** Starts with tables as of an entry. */
    void start(long applied, long appliedTerm) {
        role = Role.FOLLOWER;
        leader = Optional.empty();
        committed = applied;
        if (applied > log.last() || log.termAt(applied) != appliedTerm) {
            log.reset(applied, appliedTerm);
        }
        awaitLeader();
    }

    /** Begins after tables as of an entry that the log does not have. */
    void begin(long applied, long appliedTerm) {
        log.reset(applied, appliedTerm);
        committed = Math.max(committed, applied);
    }

    // Elections.

    private void awaitLeader() {
        int wait = ++waits;
        member.later(150_000 + random.nextInt(150_000), () -> {
            if (wait == waits && role != Role.LEADER) {
                stand();
            }
        });
    }

    /** Becomes a candidate, whether another member leads or not. */
    void stand() {
        stepDown(term + 1);
        voted = Optional.of(member.id());
        role = Role.CANDIDATE;
        votes.clear();
        votes.add(member.id());
        long at = term;
        long last = log.last();
        long lastTerm = log.termAt(last);
        for (VirtualMember other : group.othersThan(member.id())) {
            group.send(member.id(), other, () -> other.raft().vote(at, member, last, lastTerm));
        }
        awaitLeader();
    }

    private void vote(long theirs, VirtualMember candidate, long last, long lastTerm) {
        if (theirs > term) {
            stepDown(theirs);
        }
        long own = log.termAt(log.last());
        boolean upToDate = lastTerm != own ? lastTerm > own : last >= log.last();
        if (theirs == term && upToDate && voted.orElse(candidate.id()) == candidate.id()) {
            voted = Optional.of(candidate.id());
            awaitLeader();
            group.send(member.id(), candidate, () -> candidate.raft().votedFor(theirs, member.id()));
        }
    }

    private void votedFor(long theirs, int voter) {
        if (role == Role.CANDIDATE && theirs == term) {
            votes.add(voter);
            if (votes.size() > group.size() / 2) {
                lead();
            }
        }
    }

    private void lead() {
        role = Role.LEADER;
        leader = Optional.of(member.id());
        elected = member.clock();
        followers.clear();
        for (int id = 0; id < group.size(); id++) {
            Follower follower = new Follower();
            follower.next = log.last() + 1;
            follower.acknowledged = elected - 2 * LEASE.nanos();
            followers.add(follower);
        }
        member.leads(append(new MasterGroupEntry.Nothing()));
        beat(term);
    }

    private void beat(long reign) {
        if (role == Role.LEADER && term == reign) {
            group.othersThan(member.id()).forEach(this::replicate);
            member.later(HEARTBEAT, () -> beat(reign));
        }
    }

    private void stepDown(long to) {
        if (to > term) {
            term = to;
            voted = Optional.empty();
        }
        boolean led = role == Role.LEADER;
        role = Role.FOLLOWER;
        member.leadsNoMore();
        if (led) {
            // A leader waits for no other one: its last wait ran out without an effect.
            awaitLeader();
        }
    }

    private void hear(long theirs) {
        if (theirs > term || role == Role.CANDIDATE) {
            stepDown(theirs);
        }
        awaitLeader();
    }

    private void refused(long newer) {
        if (newer > term) {
            stepDown(newer);
            awaitLeader();
        }
    }

    // The log.

    /** Appends an entry as the leader; returns its index. */
    long append(MasterGroupEntry entry) {
        log.add(new Entry(term, entry.encode()));
        long reign = term;
        member.later(forcing(), () -> {
            log.force();
            if (role == Role.LEADER && term == reign) {
                commit();
            }
        });
        group.othersThan(member.id()).forEach(this::replicate);
        return log.last();
    }

    private long forcing() {
        return 100L + random.nextInt(1_500);
    }

    private void replicate(VirtualMember to) {
        long from = followers.get(to.id()).next;
        long at = term;
        long sent = member.clock();
        long first = log.first();
        if (from < first) {
            group.send(member.id(), to, () -> to.raft().fetch(at, member, first, sent));
            return;
        }
        long before = log.termAt(from - 1);
        List<Entry> entries = log.from(from, ENTRIES_A_MESSAGE);
        long upTo = committed;
        group.send(member.id(), to, () -> to.raft().append(at, member, from - 1, before, entries, upTo, sent));
    }

    private void append(
            long theirs, VirtualMember from, long previous, long before, List<Entry> entries, long upTo, long sent) {
        if (theirs < term) {
            long newer = term;
            group.send(member.id(), from, () -> from.raft().refused(newer));
            return;
        }
        if (member.isFetching()) {
            return;
        }
        hear(theirs);
        leader = Optional.of(from.id());
        if (previous > log.last() || (previous >= log.first() - 1 && log.termAt(previous) != before)) {
            long hint = Math.max(committed, Math.min(previous - 1, log.last()));
            group.send(member.id(), from, () -> from.raft().appended(theirs, member, hint, false, sent));
            return;
        }
        long index = previous;
        for (Entry entry : entries) {
            index++;
            if (index >= log.first()) {
                take(index, entry);
            }
        }
        long last = index;
        committed = Math.max(committed, Math.min(upTo, last));
        member.apply();
        member.later(forcing(), () -> {
            // The log may have been truncated meanwhile.
            if (term == theirs) {
                log.force();
                group.send(member.id(), from, () -> from.raft().appended(theirs, member, last, true, sent));
            }
        });
    }

    private void take(long index, Entry entry) {
        if (index <= log.last() && log.termAt(index) != entry.term()) {
            if (index <= committed) {
                throw new AssertionError("%s would drop entry %d, which is committed".formatted(member, index));
            }
            log.truncate(index);
        }
        if (index > log.last()) {
            log.add(entry);
        }
    }

    private void appended(long theirs, VirtualMember from, long last, boolean matches, long sent) {
        if (role != Role.LEADER || theirs != term) {
            return;
        }
        Follower known = followers.get(from.id());
        known.acknowledged = Math.max(known.acknowledged, sent);
        if (matches) {
            known.match = Math.max(known.match, last);
            known.next = known.match + 1;
            commit();
        } else {
            known.next = Math.max(0, Math.min(known.next - 1, last + 1));
        }
        if (!matches || known.next <= log.last()) {
            replicate(from);
        }
    }

    private List<Long> followersOf(Function<Follower, Long> what) {
        return group.othersThan(member.id()).stream()
                .map(each -> what.apply(followers.get(each.id())))
                .toList();
    }

    private void commit() {
        List<Long> all = new ArrayList<>(followersOf(each -> each.match));
        all.add(log.forced());
        all.sort(null);
        long most = all.get((all.size() - 1) / 2);
        if (most > committed && log.termAt(most) == term) {
            committed = most;
            member.apply();
        }
    }

    /** Fetches tables, if the leader's log begins after this member's last entry. */
    private void fetch(long theirs, VirtualMember from, long first, long sent) {
        if (theirs < term || member.isFetching()) {
            return;
        }
        hear(theirs);
        long applied = member.tables().index();
        if (applied >= first - 1) {
            group.send(member.id(), from, () -> from.raft().appended(theirs, member, applied, true, sent));
        } else {
            member.fetch(from);
        }
    }

    @Override
    public String toString() {
        return "%s in term %d, log %d to %d, committed %d".formatted(role, term, log.first(), log.last(), committed);
    }
}

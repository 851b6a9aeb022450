package io.packing.bdt.master.table;

import io.packing.bdt.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answers to recent namespace mutations by request number, so that a client which did not get the answer and asks
 * again is not told that what it made itself exists already. Kept in the table, hence over a restart. What a mutation or
 * a group remembered is forgotten when it is taken back. Confined to the writer thread.
 */
public final class RequestMemory {
    private static final int SLOTS = 16_384;

    private record Loaded(long position, long request, Outcome outcome) {}

    private final Map<Long, Outcome> answers = new LinkedHashMap<>();
    /** Those of the group under way. */
    private final List<Long> added = new ArrayList<>();

    private int accepted;

    /** Reads what the table remembers, oldest first. */
    public static RequestMemory load(Rows rows) throws IOException {
        List<Loaded> loaded = new ArrayList<>();
        rows.scan(Keys.kind(Keys.REQUEST), Keys.kindEnd(Keys.REQUEST), (key, value) -> {
            Bytes.In in = new Bytes.In(value);
            long request = in.fixed8();
            Outcome outcome = Outcome.valueOf(in.text());
            // The version before did not write the position.
            loaded.add(new Loaded(in.hasMore() ? in.number() : 0, request, outcome));
            return true;
        });
        loaded.sort(Comparator.comparingLong(Loaded::position));
        RequestMemory memory = new RequestMemory();
        loaded.forEach(each -> memory.answers.put(each.request, each.outcome));
        return memory;
    }

    public Optional<Outcome> answer(long request) {
        return request == 0 ? Optional.empty() : Optional.ofNullable(answers.get(request));
    }

    void remember(Transaction transaction, long request, Outcome outcome) {
        if (request == 0) {
            return;
        }
        answers.put(request, outcome);
        added.add(request);
        long position = transaction.nextPosition();
        transaction
                .rows()
                .put(
                        Keys.numbered(Keys.REQUEST, Math.floorMod(position, (long) SLOTS)),
                        new Bytes.Out()
                                .fixed8(request)
                                .text(outcome.name())
                                .number(position)
                                .toBytes());
    }

    /** Keeps what the mutation remembered, as long as its group is kept. */
    void accept() {
        accepted = added.size();
    }

    /** Forgets what the mutation remembered. */
    void reject() {
        forgetFrom(accepted);
    }

    /** Keeps what the group remembered: it is on disk. */
    void written() {
        added.clear();
        accepted = 0;
        while (answers.size() > SLOTS) {
            answers.remove(answers.keySet().iterator().next());
        }
    }

    /** Forgets what the group remembered. */
    void abandon() {
        forgetFrom(0);
        accepted = 0;
    }

    private void forgetFrom(int index) {
        List<Long> forgotten = added.subList(index, added.size());
        forgotten.forEach(answers::remove);
        forgotten.clear();
    }
}

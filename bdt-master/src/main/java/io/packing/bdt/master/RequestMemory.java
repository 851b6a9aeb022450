package io.packing.bdt.master;

import io.packing.bdt.Outcome;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The answers to recent namespace mutations by request number, so that a client which did not get the answer and asks
 * again is not told that what it made itself exists already. Kept in the table, hence over a restart. Confined to the
 * writer thread.
 */
final class RequestMemory {
    private static final int SLOTS = 16_384;

    private final Map<Long, Outcome> answers = new LinkedHashMap<>();

    /** Reads what the table remembers. */
    static RequestMemory load(Rows rows) throws IOException {
        RequestMemory memory = new RequestMemory();
        rows.scan(Keys.kind(Keys.REQUEST), Keys.kindEnd(Keys.REQUEST), (key, value) -> {
            Bytes.In in = new Bytes.In(value);
            memory.answers.put(in.fixed8(), Outcome.valueOf(in.text()));
            return true;
        });
        return memory;
    }

    Optional<Outcome> answer(long request) {
        return request == 0 ? Optional.empty() : Optional.ofNullable(answers.get(request));
    }

    void remember(Table table, long request, Outcome outcome) {
        if (request == 0) {
            return;
        }
        answers.put(request, outcome);
        if (answers.size() > SLOTS) {
            answers.remove(answers.keySet().iterator().next());
        }
        table.rows()
                .put(
                        Keys.numbered(Keys.REQUEST, Math.floorMod(table.nextPosition(), (long) SLOTS)),
                        new Bytes.Out().fixed8(request).text(outcome.name()).toBytes());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The answers to recent namespace mutations by request number, so that a client that repeats a request after a lost answer gets
 * no error about its own result. Kept in the table, hence over a restart. What a mutation or
 * a batch remembered is forgotten when it is taken back. Confined to the writer thread.
 */
public final class RequestMemory implements Staged {
    private record Loaded(long position, long request, Outcome outcome) {}

    private final Map<Long, Outcome> answers = new LinkedHashMap<>();
    private final BatchAdditions<Long> added = new BatchAdditions<>(answers::remove);
    private final EndedClaims ended;

    private RequestMemory(EndedClaims ended) {
        this.ended = ended;
    }

    /** Reads what the table remembers, oldest first. */
    public static RequestMemory load(Rows rows) throws IOException {
        List<Loaded> loaded = new ArrayList<>();
        rows.scan(Keys.kind(Keys.REQUEST), Keys.kindEnd(Keys.REQUEST), (key, value) -> {
            if (EndedClaims.isRow(key)) {
                return false;
            }
            Bytes.In in = new Bytes.In(value);
            long request = in.fixed8();
            Outcome outcome = Outcome.valueOf(in.text());
            // The version before did not write the position.
            loaded.add(new Loaded(in.hasMore() ? in.number() : 0, request, outcome));
            return true;
        });
        loaded.sort(Comparator.comparingLong(Loaded::position));
        RequestMemory memory = new RequestMemory(EndedClaims.load(rows));
        loaded.forEach(each -> memory.answers.put(each.request, each.outcome));
        return memory;
    }

    /** Returns the claims that were granted and are over. */
    public EndedClaims ended() {
        return ended;
    }

    public Optional<Outcome> answer(long request) {
        return request == 0 ? Optional.empty() : Optional.ofNullable(answers.get(request));
    }

    /** @param position of the mutation */
    void remember(WriteSet rows, long position, long request, Outcome outcome) {
        answers.put(request, outcome);
        added.add(request);
        rows.put(
                Keys.numbered(Keys.REQUEST, Math.floorMod(position, (long) Keys.ANSWER_SLOTS)),
                new Bytes.Out()
                        .fixed8(request)
                        .text(outcome.name())
                        .number(position)
                        .toBytes());
    }

    @Override
    public void accept() {
        added.accept();
        ended.accept();
    }

    @Override
    public void reject() {
        added.reject();
        ended.reject();
    }

    @Override
    public void written() {
        ended.written();
        added.written();
        while (answers.size() > Keys.ANSWER_SLOTS) {
            answers.remove(answers.keySet().iterator().next());
        }
    }

    @Override
    public void abandon() {
        added.abandon();
        ended.abandon();
    }
}

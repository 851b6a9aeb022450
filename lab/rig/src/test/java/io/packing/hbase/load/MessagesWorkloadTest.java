// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

class MessagesWorkloadTest {
    /** A database that notes each request and fails it: the client must go on. */
    private static final class Notes extends DB {
        private final List<String> calls = new ArrayList<>();

        @Override
        public Status read(String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
            calls.add("read " + table + " " + key);
            return Status.ERROR;
        }

        @SuppressWarnings("NonApiType") // YCSB's signature requires it
        @Override
        public Status scan(
                String table,
                String key,
                int count,
                @Nullable Set<String> fields,
                Vector<HashMap<String, ByteIterator>> result) {
            return Status.NOT_IMPLEMENTED;
        }

        @Override
        public Status update(String table, String key, Map<String, ByteIterator> values) {
            calls.add("update " + table + " " + key + " " + new TreeSet<>(values.keySet()));
            return Status.ERROR;
        }

        @Override
        public Status insert(String table, String key, Map<String, ByteIterator> values) {
            calls.add("insert " + table + " " + key + " " + values.size());
            return Status.ERROR;
        }

        @Override
        public Status delete(String table, String key) {
            calls.add("delete " + table + " " + key);
            return Status.ERROR;
        }
    }

    private static MessagesWorkload workload(int users, boolean transactions) {
        Properties properties = new Properties();
        properties.setProperty("recordcount", Integer.toString(users));
        properties.setProperty("operationcount", "1000");
        properties.setProperty("dotransactions", Boolean.toString(transactions));
        properties.setProperty(MessagesWorkload.SEED, "3");
        MessagesWorkload workload = new MessagesWorkload();
        workload.init(properties);
        return workload;
    }

    private static List<String> transactions(int client) {
        MessagesWorkload workload = workload(50, true);
        Notes notes = new Notes();
        Object state = workload.initThread(new Properties(), client, 2);
        for (int i = 0; i < 200; i++) {
            assertThat(workload.doTransaction(notes, state)).isTrue();
        }
        return notes.calls;
    }

    @Test
    void everyUserStartsWithColumnsInAllEightFamilies() {
        MessagesWorkload workload = workload(2, false);
        Notes notes = new Notes();
        Object state = workload.initThread(new Properties(), 0, 1);
        assertThat(workload.doInsert(notes, state)).isTrue();
        assertThat(workload.doInsert(notes, state)).isTrue();
        List<String> families = List.of(
                "Actions 8",
                "MessageMeta 6",
                "ThreadMeta 3",
                "PrefetchMeta 2",
                "Keywords 20",
                "ThreaderThread 4",
                "ThreadingIdIdx 6",
                "ActionLogIdIdx 6");
        List<String> expected = new ArrayList<>();
        for (int user = 0; user < 2; user++) {
            for (String family : families) {
                String[] words = family.split(" ", 2);
                expected.add("insert %s %s %s".formatted(words[0], LoadRequest.key(user), words[1]));
            }
        }
        assertThat(notes.calls).isEqualTo(expected);
    }

    @Test
    void theSameSeedGivesAClientTheSameRequestsAndAnotherClientOthers() {
        assertThat(transactions(0)).isEqualTo(transactions(0)).isNotEqualTo(transactions(1));
    }

    @Test
    void requestsAreOfAllKinds() {
        assertThat(transactions(0))
                .anyMatch(call -> call.startsWith("read "))
                .anyMatch(call -> call.startsWith("update "))
                .anyMatch(call -> call.startsWith("delete "))
                .noneMatch(call -> call.startsWith("insert "));
    }
}

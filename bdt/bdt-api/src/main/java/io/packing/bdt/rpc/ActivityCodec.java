// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;

/** The encoding of the activity of workers as messages. */
final class ActivityCodec {
    private ActivityCodec() {}

    static Activity encode(WorkerActivity activity) {
        return Activity.newBuilder()
                .setSinceMillis(activity.sinceMillis())
                .setOldestMillis(activity.oldestMillis())
                .setPushedFiles(activity.pushedFiles())
                .setPushedBytes(activity.pushedBytes())
                .setRequests(encode(activity.requests()))
                .setStatusPort(activity.statusPort())
                .build();
    }

    static WorkerActivity decode(Activity m) {
        return new WorkerActivity(
                m.getSinceMillis(),
                m.getOldestMillis(),
                m.getPushedFiles(),
                m.getPushedBytes(),
                decode(m.getRequests()),
                m.getStatusPort());
    }

    static StoreRequestCounts encode(StoreRequests requests) {
        return StoreRequestCounts.newBuilder()
                .setPuts(requests.puts())
                .setLists(requests.lists())
                .setGets(requests.gets())
                .setHeads(requests.heads())
                .setDeletes(requests.deletes())
                .setThrottled(requests.throttled())
                .setFailed(requests.failed())
                .build();
    }

    static StoreRequests decode(StoreRequestCounts m) {
        return new StoreRequests(
                m.getPuts(), m.getLists(), m.getGets(), m.getHeads(), m.getDeletes(), m.getThrottled(), m.getFailed());
    }
}

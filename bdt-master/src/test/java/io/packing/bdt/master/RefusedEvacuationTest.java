// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.MountHomes;
import io.packing.bdt.master.cloud.HomesRecord;
import io.packing.bdt.master.rpc.OpenCall;
import io.packing.options.Option;
import io.packing.store.LocalObjectStore;
import io.packing.store.ObjectStore;
import io.packing.store.PutCondition;
import io.packing.store.StoreOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Evacuations that do not begin: the mount stays where it is, and nothing of it has changed. */
@Timeout(300)
class RefusedEvacuationTest extends EvacuationFixture {
    @Test
    void aTargetThatIsNotEmptyIsRefused() throws Exception {
        Files.writeString(after.resolve("notes"), "mine");
        refused(after, "is not empty, it has notes");
    }

    @Test
    void theStoreOfAnotherMountIsRefused() throws Exception {
        table = master.open(options(after));
        String other = mount();
        assertThat(master.mounts()).hasSize(2);
        open(before);
        write("/file", before);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.evacuations()
                        .evacuate(nameOf(before), Map.of("packing.store", "file://" + after), false, 0))
                .withMessageContaining("is the store of another mount");
        assertThat(other).isNotEmpty();
        check(before);
    }

    private String nameOf(Path store) {
        return master.mounts().stream()
                .map(Mount::id)
                .filter(id -> id.contains(store.getFileName().toString()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theSameStoreAndAPartOfItAreRefused() throws Exception {
        refused(before, "already");
        refused(Files.createDirectory(before.resolve("part")), "a part of it");
    }

    @Test
    void aStoreThatTheMasterMayNotUseIsRefused() throws Exception {
        write("/file", before);
        assertThatThrownBy(() ->
                        master.evacuations().evacuate(mount(), Map.of("packing.store", "file:///elsewhere"), false, 0))
                .hasMessageContaining("may not use");
        check(before);
    }

    @Test
    void aStoreThatIsNotThereIsRefused() throws Exception {
        refused(root.resolve("missing"), "missing");
    }

    /** A store that takes each put, whatever its condition says. */
    private static ObjectStore ignoring(ObjectStore objects) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, given) -> {
                    Object[] taken = given == null ? new Object[0] : given.clone();
                    for (int i = 0; i < taken.length; i++) {
                        taken[i] = taken[i] instanceof PutCondition ? PutCondition.NONE : taken[i];
                    }
                    try {
                        return method.invoke(objects, taken);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Test
    void aStoreThatIgnoresConditionsIsRefused() throws Exception {
        atTarget = RefusedEvacuationTest::ignoring;
        refused(after, "ignores the condition of a PUT");
        try (ObjectStore target = LocalObjectStore.open(after)) {
            assertThat(target.list("", "", 10)).isEmpty();
        }
    }

    @Test
    void aStoreThatDoesNotLetTheMasterWriteIsRefused() throws Exception {
        atTarget = RefusedEvacuationTest::readOnly;
        refused(after, "no right to write");
    }

    private static ObjectStore readOnly(ObjectStore objects) {
        return (ObjectStore) Proxy.newProxyInstance(
                ObjectStore.class.getClassLoader(), new Class<?>[] {ObjectStore.class}, (proxy, method, given) -> {
                    if (method.getName().equals("put")) {
                        throw new IOException("no right to write");
                    }
                    try {
                        return method.invoke(objects, given);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    private void refused(Path to, String why) throws Exception {
        write("/file", before);
        assertThatThrownBy(() -> evacuate(to)).hasMessageContaining(why);
        write("/other", before);
        check(before);
        restart(before);
        check(before);
    }

    @Test
    void clientsAreToldEachOptionThatLeadsToAStoreAndNoOther() {
        Map<String, String> all = new HashMap<>(Map.of("packing.s3.access.key", "a", "packing.s3.secret.key", "s"));
        StoreOptions.OF_PLACE.forEach(option -> all.put(option.key(), "x"));
        assertThat(MountHomes.of(all).keySet())
                .containsExactlyInAnyOrderElementsOf(
                        StoreOptions.OF_PLACE.stream().<String>map(Option::key).toList());
    }

    @Test
    void aStoreThatGivesItselfTheNameOfAnotherMountIsNotTaken() throws Exception {
        write("/file", before);
        table.checkpoint();
        try (ObjectStore forged = LocalObjectStore.open(after)) {
            HomesRecord.first("file://" + before, Map.of("packing.store", "file://" + before), "file://" + before)
                    .toward(Map.of("packing.store", "file://" + after), "file://" + after, 7, 8, 0)
                    .write(forged);
        }
        OpenCall ofUser = new OpenCall(options(after), false, false, false);
        assertThatThrownBy(() -> master.openMount(ofUser)).hasMessageContaining("Permission denied");
        lose();
        assertThatThrownBy(() -> master.openMount(ofUser)).hasMessageContaining("Permission denied");
        // A worker or an operator that names it learns the reason.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.open(options(after)))
                .withMessageContaining("has not gone from there");
        open(before);
        check(before);
    }

    @Test
    void aNegativeRateAndAMissingTargetAreRefused() throws IOException {
        write("/file", before);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        master.evacuations().evacuate(mount(), Map.of("packing.store", "file://" + after), false, -1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> master.evacuations().evacuate(mount(), Map.of(), false, 0))
                .withMessageContaining("--to is missing");
    }
}

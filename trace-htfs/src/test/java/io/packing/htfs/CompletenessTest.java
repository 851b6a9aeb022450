// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.packing.htfs.record.StreamRecorder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.TracingDistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.junit.jupiter.api.Test;

/**
 * A test that every public method of Hadoop's file systems and streams, found by reflection, is recorded, or listed
 * with the reason against it. It fails when a new Hadoop adds one.
 */
class CompletenessTest {
    private static final Map<String, String> LISTED = UntracedMethods.read();
    /** False for Hadoop 3.3, which has no bulk deletes: a class that mentions them cannot be reflected on. */
    private static final boolean HAS_BULK_DELETE = Stream.of(FileSystem.class.getMethods())
            .anyMatch(method -> method.getName().equals("createBulkDelete"));

    private static final Set<String> PAGES =
            Set.of("listPaths", "batchedListPaths", "listCorruptFileBlocks", "getSnapshotDiffReportListing");

    private final Set<String> missing = new TreeSet<>();
    private final Set<String> found = new HashSet<>();

    @Test
    void everyMethodOfHadoopIsRecordedOrListedWithAReason() {
        Class<?> any = HAS_BULK_DELETE ? TracingFileSystem.class : Hadoop33TracingFileSystem.class;
        check(FileSystem.class, any);
        check(DistributedFileSystem.class, TracingDistributedFileSystem.class);
        check(AbstractFileSystem.class, TracingAbstractFileSystem.class);
        // The calls that a stream does not override go through the wrapped one.
        check(FSDataInputStream.class, TracedDataInput.class, TracedInput.class);
        check(HdfsDataInputStream.class, TracedHdfsInput.class, TracedInput.class);
        check(FSDataOutputStream.class, TracedDataOutput.class, TracedOutput.class);
        check(HdfsDataOutputStream.class, TracedHdfsOutput.class, TracedOutput.class);
        assertThat(missing).as("neither recorded nor listed").isEmpty();
        if (HAS_BULK_DELETE) {
            assertThat(LISTED.keySet()).as("listed, and gone from Hadoop").isSubsetOf(found);
        }
    }

    /** The listing fetches pages after the end of the call that made it. */
    @Test
    void everyListingThatIsWalkedLaterIsRecordedWhileItIsWalked() throws ClassNotFoundException {
        for (Class<?> ours : List.of(FilteredNamespace.class, FilteredAttributes.class, AbstractNamespace.class)) {
            for (JavaMethod method : new ClassFileImporter().importClass(ours).getMethods()) {
                boolean makesListing = method.getRawReturnType().isEquivalentTo(RemoteIterator.class)
                        && !method.getModifiers().contains(JavaModifier.BRIDGE);
                if (makesListing) {
                    assertThat(method.getMethodCallsFromSelf())
                            .as(method.getFullName())
                            .anyMatch(call -> call.getTargetOwner().isEquivalentTo(CallRecorder.class)
                                    && call.getName().equals("listed"));
                }
            }
        }
        // In HDFS, a method of the client fetches each page, or an iterator that has a subclass here.
        Class<?> pages = Class.forName("org.apache.hadoop.hdfs.TracedListings");
        Set<String> recorded = recorded(pages);
        for (Method method : DFSClient.class.getMethods()) {
            if (PAGES.contains(method.getName()) && !method.isBridge() && isTerminal(method)) {
                assertThat(recorded).contains(shape(method));
            }
            if (method.getReturnType() == RemoteIterator.class && isTerminal(method)) {
                assertThat(Stream.of(pages.getDeclaredMethods()).map(CompletenessTest::shape))
                        .as("the pages of")
                        .contains(shape(method));
            }
        }
    }

    /** Returns whether other methods of this name end in this one: it takes the most parameters. */
    private static boolean isTerminal(Method method) {
        return Stream.of(method.getDeclaringClass().getMethods())
                .filter(other -> other.getName().equals(method.getName()))
                .allMatch(other -> other.getParameterCount() <= method.getParameterCount());
    }

    private void check(Class<?> hadoop, Class<?>... ours) {
        Set<String> recorded = new HashSet<>();
        for (Class<?> wrapper : ours) {
            for (Class<?> c = wrapper; c != null && isOurs(c); c = c.getSuperclass()) {
                recorded.addAll(recorded(c));
            }
        }
        for (Method method : hadoop.getMethods()) {
            if (Modifier.isStatic(method.getModifiers())
                    || method.isBridge()
                    || method.getDeclaringClass() == Object.class) {
                continue;
            }
            String signature = UntracedMethods.signature(hadoop, method);
            found.add(signature);
            boolean isRecorded = recorded.contains(shape(method));
            boolean isListed = LISTED.containsKey(signature);
            if (isRecorded == isListed) {
                missing.add(signature + (isListed ? " (listed, and recorded)" : ""));
            }
        }
    }

    private static boolean isOurs(Class<?> c) {
        return c.getPackage() == CallRecorder.class.getPackage()
                || (c.getSimpleName().startsWith("Trac") && c.getPackageName().equals("org.apache.hadoop.hdfs"));
    }

    /** Returns the methods of a class that call a recorder, themselves or through others of the class. */
    private static Set<String> recorded(Class<?> c) {
        JavaClass code = new ClassFileImporter().importClass(c);
        Set<JavaCodeUnit> recording = new HashSet<>();
        List<JavaMethod> methods = new ArrayList<>(code.getMethods());
        boolean more = true;
        while (more) {
            more = methods.removeIf(method -> {
                boolean records = method.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> isRecorder(call.getTargetOwner())
                                || call.getTarget()
                                        .resolveMember()
                                        .filter(recording::contains)
                                        .isPresent());
                if (records) {
                    recording.add(method);
                }
                return records;
            });
        }
        Set<String> shapes = new HashSet<>();
        for (Method method : c.getDeclaredMethods()) {
            if (recording.stream()
                    .anyMatch(unit -> unit.getName().equals(method.getName())
                            && unit.getRawParameterTypes().stream()
                                    .map(JavaClass::getName)
                                    .toList()
                                    .equals(Stream.of(method.getParameterTypes())
                                            .map(Class::getName)
                                            .toList()))) {
                shapes.add(shape(method));
            }
        }
        return shapes;
    }

    private static boolean isRecorder(JavaClass owner) {
        return owner.isEquivalentTo(CallRecorder.class)
                || owner.isEquivalentTo(StreamRecorder.class)
                || owner.isEquivalentTo(TracedOutput.class);
    }

    private static String shape(Method method) {
        return UntracedMethods.signature(Object.class, method);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileAlreadyExistsException;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JobContextImpl;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.OutputCommitter;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapred.TextInputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.JobStatus;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever attempts a job had, its output has each task once and whole. */
@Timeout(120)
final class PackingCommitterTest {
    private static final JobID JOB = new JobID("test", 1);

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private Configuration configuration;
    private FileSystem files;
    private Path output;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        configuration = local.configure(new Configuration());
        configuration.set("fs.defaultFS", local.uri().toString());
        configuration.set("mapreduce.outputcommitter.factory.scheme.packing", PackingCommitterFactory.class.getName());
        // Hadoop's default, in which attempts get in each other's way.
        configuration.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 2);
        files = FileSystem.get(local.uri(), configuration);
        output = new Path(local.uri().toString(), "/output");
    }

    @AfterEach
    void stop() throws IOException {
        FileSystem.closeAll();
        local.close();
    }

    private TaskAttemptContext attempt(int task, int number) {
        TaskAttemptID id = new TaskAttemptID(new TaskID(JOB, TaskType.REDUCE, task), number);
        return new TaskAttemptContextImpl(new Configuration(configuration), id);
    }

    private FileOutputCommitter committer(TaskAttemptContext context) throws IOException {
        PathOutputCommitter committer = PathOutputCommitterFactory.createCommitter(output, context);
        assertThat(committer).isInstanceOf(PackingCommitter.class);
        return (FileOutputCommitter) committer;
    }

    private FileOutputCommitter write(TaskAttemptContext context, String name, String content) throws IOException {
        FileOutputCommitter committer = committer(context);
        committer.setupTask(context);
        put(new Path(committer.getWorkPath(), name), content);
        return committer;
    }

    private void put(Path path, String content) throws IOException {
        try (FSDataOutputStream stream = files.create(path, false)) {
            stream.write(content.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Contents by the paths below the output directory. */
    private Map<String, String> written() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        RemoteIterator<LocatedFileStatus> all = files.listFiles(output, true);
        while (all.hasNext()) {
            Path path = all.next().getPath();
            try (FSDataInputStream stream = files.open(path)) {
                contents.put(
                        output.toUri().relativize(path.toUri()).getPath(),
                        new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return contents;
    }

    @Test
    void ofTheAttemptsOfATaskTheCommittedOneIsInTheOutputAndNothingOfTheOthers() throws IOException {
        TaskAttemptContext driver = attempt(0, 0);
        FileOutputCommitter job = committer(driver);
        job.setupJob(driver);
        // Task 0: the first attempt dies, a speculative one is aborted, the third is committed.
        write(attempt(0, 0), "part-0", "half a");
        write(attempt(0, 1), "part-0", "slow").abortTask(attempt(0, 1));
        write(attempt(0, 2), "part-0", "good").commitTask(attempt(0, 2));
        // Task 1: the answer to its commit is lost, and it is run again with files of other names.
        write(attempt(1, 0), "part-1-first", "first").commitTask(attempt(1, 0));
        write(attempt(1, 1), "part-1-second", "second").commitTask(attempt(1, 1));
        assertThat(files.listStatus(output))
                .as("before the job is committed")
                .extracting(status -> status.getPath().getName())
                .containsExactly("_temporary");
        job.commitJob(driver);
        assertThat(written()).isEqualTo(Map.of("_SUCCESS", "", "part-0", "good", "part-1-second", "second"));
        assertThat(files.exists(new Path(output, "_temporary"))).isFalse();
    }

    @Test
    void directoriesOfManyTasksBecomeOneAndNewFilesReplaceOldOnes() throws IOException {
        put(new Path(output, "year=1/old"), "old");
        put(new Path(output, "year=1/part-3"), "old");
        put(new Path(output, "year=2"), "a file where a directory comes");
        TaskAttemptContext driver = attempt(0, 0);
        FileOutputCommitter job = committer(driver);
        job.setupJob(driver);
        for (int task = 0; task < 40; task++) {
            TaskAttemptContext context = attempt(task, 0);
            FileOutputCommitter committer = write(context, "year=1/part-" + task, "one " + task);
            put(new Path(committer.getWorkPath(), "year=2/month=1/part-" + task), "two " + task);
            committer.commitTask(context);
        }
        job.commitJob(driver);
        Map<String, String> want = new TreeMap<>(Map.of("_SUCCESS", "", "year=1/old", "old"));
        for (int task = 0; task < 40; task++) {
            want.put("year=1/part-" + task, "one " + task);
            want.put("year=2/month=1/part-" + task, "two " + task);
        }
        assertThat(written()).isEqualTo(want);
    }

    @Test
    void anAbortedJobLeavesNothing() throws IOException {
        TaskAttemptContext driver = attempt(0, 0);
        FileOutputCommitter job = committer(driver);
        job.setupJob(driver);
        write(attempt(0, 0), "part-0", "good").commitTask(attempt(0, 0));
        job.abortJob(driver, JobStatus.State.FAILED);
        assertThat(files.listStatus(output)).isEmpty();
    }

    /** Calls of a method of the BDT master since an earlier count. */
    private long calls(String method, Map<String, Long> before) throws IOException {
        return local.requests().getOrDefault(method, 0L) - before.getOrDefault(method, 0L);
    }

    private JobConf oldJob() {
        JobConf job = new JobConf(localJobs());
        job.setOutputCommitter(PackingMapredCommitter.class);
        job.setInputFormat(TextInputFormat.class);
        job.setMapperClass(OldCopy.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(Text.class);
        org.apache.hadoop.mapred.FileInputFormat.addInputPath(job, new Path("/input"));
        org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(job, output);
        return job;
    }

    /** Hadoop's default, algorithm 2, is configured. */
    @Test
    void aJobOfTheOldApiShowsNothingUntilOneRequestCommitsIt() throws IOException {
        JobConf conf = oldJob();
        TaskAttemptID id = new TaskAttemptID(new TaskID(JOB, TaskType.MAP, 0), 0);
        org.apache.hadoop.mapred.TaskAttemptContext task = new org.apache.hadoop.mapred.TaskAttemptContextImpl(
                conf, org.apache.hadoop.mapred.TaskAttemptID.downgrade(id));
        JobContextImpl driver = new JobContextImpl(conf, JOB);
        OutputCommitter committer = conf.getOutputCommitter();
        committer.setupJob(driver);
        committer.setupTask(task);
        Path work = ((org.apache.hadoop.mapred.FileOutputCommitter) committer).getWorkPath(task, output);
        for (int i = 0; i < 20; i++) {
            put(new Path(work, "part-" + i), "part " + i);
        }
        assertThat(committer.needsTaskCommit(task)).isTrue();
        committer.commitTask(task);
        assertThat(files.listStatus(output))
                .extracting(each -> each.getPath().getName())
                .containsExactly("_temporary");
        Map<String, Long> before = local.requests();
        committer.commitJob(driver);
        assertThat(calls("Apply", before)).isOne();
        assertThat(calls("Rename", before)).isZero();
        assertThat(written()).hasSize(21).containsEntry("part-7", "part 7").containsEntry("_SUCCESS", "");
    }

    @Test
    void aRealJobOfTheOldApiThatFailsLeavesNothingAndSucceedsWhenItIsRunAgain() throws IOException {
        for (int i = 0; i < 8; i++) {
            put(new Path("/input/f" + i), "line of " + i + "\n" + (i == 5 ? "fail\n" : ""));
        }
        assertThatThrownBy(() -> JobClient.runJob(oldJob())).isInstanceOf(IOException.class);
        assertThat(files.listStatus(output)).isEmpty();
        files.delete(output, true);
        files.delete(new Path("/input/f5"), false);
        put(new Path("/input/f5"), "line of 5\n");
        assertThat(JobClient.runJob(oldJob()).isSuccessful()).isTrue();
        assertThat(written()).hasSize(9).containsEntry("_SUCCESS", "");
    }

    /** As Spark makes it for its own formats: by its name, with these two. */
    @Test
    void aCommitterThatIsMadeByItsNameCommitsAsThatOfTheFactory() throws Exception {
        TaskAttemptContext context = attempt(0, 0);
        FileOutputCommitter committer = byName(output, context);
        committer.setupJob(context);
        committer.setupTask(context);
        put(new Path(committer.getWorkPath(), "part-0"), "good");
        committer.commitTask(context);
        Map<String, Long> before = local.requests();
        committer.commitJob(context);
        assertThat(calls("Apply", before)).isOne();
        assertThat(written()).isEqualTo(Map.of("_SUCCESS", "", "part-0", "good"));
    }

    private static FileOutputCommitter byName(Path output, TaskAttemptContext context)
            throws ReflectiveOperationException {
        return Class.forName("io.packing.hadoop.PackingCommitter")
                .asSubclass(FileOutputCommitter.class)
                .getDeclaredConstructor(Path.class, TaskAttemptContext.class)
                .newInstance(output, context);
    }

    /** Elsewhere all of them are Hadoop's own, with the algorithm that is configured. */
    @Test
    void committersThatAreMadeByNameWorkElsewhereToo() throws Exception {
        Path elsewhere = new Path(temp.resolve("elsewhere").toUri());
        FileSystem there = elsewhere.getFileSystem(configuration);
        TaskAttemptContext context = attempt(0, 0);
        FileOutputCommitter committer = byName(elsewhere, context);
        committer.setupJob(context);
        committer.setupTask(context);
        there.create(new Path(committer.getWorkPath(), "part-0")).close();
        committer.commitTask(context);
        assertThat(there.exists(new Path(elsewhere, "part-0"))).isTrue();
        committer.commitJob(context);
        assertThat(there.exists(new Path(elsewhere, "_SUCCESS"))).isTrue();
        assertThat(there.exists(new Path(elsewhere, "_temporary"))).isFalse();

        put(new Path("/input/f"), "line\n");
        JobConf conf = oldJob();
        Path old = new Path(temp.resolve("old").toUri());
        org.apache.hadoop.mapred.FileOutputFormat.setOutputPath(conf, old);
        assertThat(JobClient.runJob(conf).isSuccessful()).isTrue();
        assertThat(there.exists(new Path(old, "part-00000"))).isTrue();
        assertThat(there.exists(new Path(old, "_SUCCESS"))).isTrue();
    }

    @Test
    void elsewhereHadoopsOwnCommitterIsMade() throws IOException {
        TaskAttemptContext context = attempt(0, 0);
        Path elsewhere = new Path(temp.toUri());
        assertThat(new PackingCommitterFactory().createOutputCommitter(elsewhere, context))
                .isExactlyInstanceOf(FileOutputCommitter.class);
    }

    /** Copies lines; fails in the middle of a file that says so. */
    public static final class Copy extends Mapper<LongWritable, Text, NullWritable, Text> {
        @Override
        protected void map(LongWritable offset, Text line, Context context) throws IOException, InterruptedException {
            if (line.toString().equals("fail")) {
                throw new IOException("asked to fail");
            }
            context.write(NullWritable.get(), line);
        }
    }

    /** The mapper for the old API. */
    public static final class OldCopy extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, NullWritable, Text> {
        @Override
        public void map(LongWritable offset, Text line, OutputCollector<NullWritable, Text> output, Reporter reporter)
                throws IOException {
            if (line.toString().equals("fail")) {
                throw new IOException("asked to fail");
            }
            output.collect(NullWritable.get(), line);
        }
    }

    private Configuration localJobs() {
        Configuration local = new Configuration(configuration);
        local.set("mapreduce.framework.name", "local");
        local.set("hadoop.tmp.dir", temp.resolve("scratch").toString());
        local.set("mapreduce.cluster.local.dir", temp.resolve("scratch").toString());
        // The job's own files need no place on the mount.
        local.set(
                "mapreduce.jobtracker.staging.root.dir",
                temp.resolve("staging").toUri().toString());
        local.setInt("mapreduce.local.map.tasks.maximum", 2);
        local.setInt("mapreduce.client.completion.pollinterval", 50);
        return local;
    }

    private Job job() throws IOException {
        Job job = Job.getInstance(localJobs(), "copy");
        job.setJarByClass(PackingCommitterTest.class);
        job.setMapperClass(Copy.class);
        job.setNumReduceTasks(0);
        job.setOutputKeyClass(NullWritable.class);
        job.setOutputValueClass(Text.class);
        job.setOutputFormatClass(TextOutputFormat.class);
        FileInputFormat.addInputPath(job, new Path("/input"));
        FileOutputFormat.setOutputPath(job, new Path("/output"));
        return job;
    }

    @Test
    void aRealJobThatFailsLeavesNothingAndSucceedsWhenItIsRunAgain() throws Exception {
        for (int i = 0; i < 8; i++) {
            put(new Path("/input/f" + i), "line of " + i + "\n" + (i == 5 ? "fail\n" : ""));
        }
        assertThat(job().waitForCompletion(false)).isFalse();
        assertThat(files.listStatus(output)).isEmpty();
        files.delete(output, true);
        files.delete(new Path("/input/f5"), false);
        put(new Path("/input/f5"), "line of 5\n");
        assertThat(job().waitForCompletion(false)).isTrue();
        Map<String, String> written = written();
        assertThat(written).hasSize(9).containsEntry("_SUCCESS", "");
        assertThat(String.join("", written.values()).lines())
                .containsExactlyInAnyOrder(
                        "line of 0",
                        "line of 1",
                        "line of 2",
                        "line of 3",
                        "line of 4",
                        "line of 5",
                        "line of 6",
                        "line of 7");
        assertThatThrownBy(() -> job().waitForCompletion(false)).isInstanceOf(FileAlreadyExistsException.class);
    }
}

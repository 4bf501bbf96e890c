//go:build cgo

package treesit_test

import "testing"

// inJava wraps statements into a method that has a client, a limit and a logger.
func inJava(body string) string {
	return "package a.b;\nimport java.util.*;\nclass Client {\n static final int MAX = 4;\n static final long WAIT_MS = 50;\n int failures = 0;\n" + body + "\n}\n"
}

func TestJavaHandRolled(t *testing.T) {
	run(t, ".java", []sample{
		{"counted for loop", "loop 4 constant", inJava(`
  Object call() throws Exception {
    for (int i = 0; i < MAX; i++) {
      try { return client.invoke(request); } catch (IOException e) { Thread.sleep(WAIT_MS); }
    }
    throw new Exception("retry failed");
  }`)},
		{"inclusive while with a retry counter", "loop 5 none", inJava(`
  Object call() throws Exception {
    int retryTimes = 0;
    while (retryTimes <= MAX) {
      try { return client.invoke(request); } catch (IOException e) { retryTimes++; }
    }
    return null;
  }`)},
		{"do while with a flag and the increment in the condition", "loop 5 constant+jitter", inJava(`
  void cas() throws Exception {
    boolean succeeded = false;
    int retryTimes = 1;
    do {
      succeeded = store.publishConfig(key, value);
      if (!succeeded) { Thread.sleep(ThreadLocalRandom.current().nextInt(100)); }
    } while (!succeeded && retryTimes++ <= MAX);
  }`)},
		{"empty initialiser", "loop 5 constant", inJava(`
  Object call() throws Exception {
    int times = 0;
    for (; times < MAX + 1; times++) {
      try { return command.apply(); } catch (NacosException e) { TimeUnit.SECONDS.sleep(1); }
    }
    return null;
  }`)},
		{"exponential by shift", "loop 4 exponential", inJava(`
  Object call() throws Exception {
    for (int attempt = 0; attempt < MAX; attempt++) {
      try { return client.send(m); } catch (IOException e) { Thread.sleep(Math.min(1000L << attempt, 30000L)); }
    }
    return null;
  }`)},
		{"scheduler with growing delay", "timer 5 linear", inJava(`
  int attempt = 0;
  void connect() {
    channel.connect(addr).addListener(f -> { if (!f.isSuccess()) { reconnectLater(); } });
  }
  void reconnectLater() {
    if (attempt++ < MAX) {
      executor.schedule(this::connect, 100 * attempt, TimeUnit.MILLISECONDS);
    }
  }`)},
		{"task that puts itself back", "requeue 5 none", inJava(`
  class RetryTask implements Task {
    int retried = 0;
    public void run(Timeout timeout) {
      try { invoker.invoke(invocation); } catch (Throwable e) {
        if (++retried >= MAX) { log.error("give up"); } else { rePut(timeout); }
      }
    }
    void rePut(Timeout timeout) { queue.offer(timeout); }
  }`)},
		{"polling", "", inJava(`
  void waitReady() throws Exception {
    int attempts = 0;
    while (attempts < MAX) {
      Status s = client.getStatus();
      if (s == Status.READY) { return; }
      attempts++;
      Thread.sleep(1000);
    }
  }`)},
		{"consumer loop", "", inJava(`
  void run() {
    while (running) {
      try { Record r = queue.take(); handle(r); } catch (Exception e) { log.error("retry later", e); }
    }
  }`)},
		{"string constants of the words", "", inJava(`  String RETRIES_KEY = "retries";`)},
	})
}

func TestJavaLibraries(t *testing.T) {
	run(t, ".java", []sample{
		{"curator", "library 4 exponential+jitter", "import org.apache.curator.retry.ExponentialBackoffRetry;\nclass A { Object p = new ExponentialBackoffRetry(1000, 3); }"},
		{"curator n times", "library 6 constant", "import org.apache.curator.retry.*;\nclass A { Object p = new RetryNTimes(5, 1000); }"},
		{"resilience4j builder", "library 5 exponential", `
import io.github.resilience4j.retry.RetryConfig;
class A { RetryConfig c = RetryConfig.custom().maxAttempts(5).intervalFunction(IntervalFunction.ofExponentialBackoff(500, 2)).build(); }`},
		{"resilience4j random", "library 3 exponential+jitter", `
import io.github.resilience4j.retry.RetryConfig;
class A { RetryConfig c = RetryConfig.custom().intervalFunction(IntervalFunction.ofExponentialRandomBackoff()).build(); }`},
		{"resilience4j default", "library 3 constant", "import io.github.resilience4j.retry.*;\nclass A { Object r = Retry.ofDefaults(\"a\"); }"},
		{"spring retry", "decorator 3 constant", "import org.springframework.retry.annotation.Retryable;\nclass A { @Retryable void f() {} }"},
		{"spring retry exponential with jitter", "decorator 5 exponential+jitter", `
import org.springframework.retry.annotation.*;
class A { @Retryable(maxAttempts = 5, backoff = @Backoff(delay = 100, multiplier = 2, random = true)) void f() {} }`},
		{"spring retry between two limits is random", "decorator 3 constant+jitter", `
import org.springframework.retry.annotation.*;
class A { @Retryable(backoff = @Backoff(delay = 100, maxDelay = 500)) void f() {} }`},
		{"spring expression keeps its default", "decorator 4 constant", `
import org.springframework.retry.annotation.*;
class A { @Retryable(maxAttemptsExpression = "${retry.max:4}") void f() {} }`},
		{"microprofile", "decorator 4 constant+jitter", "import org.eclipse.microprofile.faulttolerance.Retry;\nclass A { @Retry(maxRetries = 3, delay = 200) void f() {} }"},
		{"micronaut text numbers", "decorator 6 exponential", "import io.micronaut.retry.annotation.Retryable;\nclass A { @Retryable(attempts = \"5\", multiplier = \"2\") void f() {} }"},
		{"failsafe retries", "library 4 exponential+jitter", `
import dev.failsafe.RetryPolicy;
class A { Object p = RetryPolicy.builder().withMaxRetries(3).withBackoff(1, 30, ChronoUnit.SECONDS).withJitter(.1).build(); }`},
		{"guava retrying", "library 3 exponential", `
import com.github.rholder.retry.*;
class A { Object r = RetryerBuilder.newBuilder().withStopStrategy(StopStrategies.stopAfterAttempt(3)).withWaitStrategy(WaitStrategies.exponentialWait()).build(); }`},
		{"reactor", "library 4 exponential+jitter", `
import reactor.util.retry.Retry;
class A { void f() { mono.retryWhen(Retry.backoff(3, Duration.ofMillis(100))); } }`},
		{"reactor fixed", "library 4 constant", `
import reactor.util.retry.Retry;
class A { void f() { mono.retryWhen(Retry.fixedDelay(3, Duration.ofMillis(100))); } }`},
		{"feign default", "library 5 exponential", "class A { Object r = new Retryer.Default(); }"},
		{"interface constant", "setting 3 none", "interface C { int DEFAULT_RETRIES = 2; }"},
		{"setter", "setting 6 unknown", "class A { void f() { config.setMaxRetries(5); } }"},
		{"grpc text put together", "grpc 3 exponential+jitter", `
class A { String s = "{\"methodConfig\": [{\"name\": [{}], " + "\"retryPolicy\": {\"maxAttempts\": 3, \"initialBackoff\": \"1s\", " + "\"maxBackoff\": \"2s\", \"backoffMultiplier\": 2}}]}"; }`},
	})
}

func TestJavaConstantsOfOtherFiles(t *testing.T) {
	tree := files{
		"src/main/java/a/Consts.java": "package a;\npublic interface Consts { int TRIES = 6; }\n",
		"src/main/java/a/Params.java": "package a;\npublic enum Params { RETRIES(\"retries\", 10); Params(String n, int d) {} int value(URL u) { return u.get(n, d); } }\n",
		"src/main/java/b/Work.java": `package b;
import static a.Consts.TRIES;
import static a.Params.RETRIES;
class Work {
  void f() throws Exception {
    for (int i = 0; i < TRIES; i++) { try { client.send(m); break; } catch (IOException e) { Thread.sleep(5); } }
    new ExponentialBackoffRetry(50, RETRIES.value(url));
  }
}`,
	}
	found := scan(t, tree, "src/main/java/b/Work.java")
	if len(found) != 2 || short(found[0]) != "11 exponential+jitter" || short(found[1]) != "6 constant" {
		t.Errorf("got %+v", found)
	}
}

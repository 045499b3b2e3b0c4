/** The API for tests of other rooms. */
export { type TestAnswer, TestApi, type TestEvent, type TestRequest } from './test-api.ts'
